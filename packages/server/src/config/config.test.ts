import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifierKey, WITNESS_KEY_TYPE } from '@fairball/domain/protocol/note'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { CONFIG_LIST } from './variables.ts'
import { EXAMPLE_CONTENT } from '../modules/content/operator-content.ts'

const SECRET = '0f'.repeat(32)
const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://lottery.example',
  DATABASE_URL: 'postgres://fairball:hunter2@db/fairball',
  BITCOIN_NETWORK: 'mainnet',
  SMTP_URL: 'smtps://mail.example',
  SECRET_KEY: SECRET,
  WITNESSES: 'none-i-know',
}

/** BIP 84's own account key, written as an xpub. */
const XPUB =
  '[73c5da0a/84h/0h/0h]xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V'

/** An account key of the test networks, of made-up root bytes. */
const TPUB =
  '[56c4fac3/84h/1h/0h]tpubDDBjwFvAc3sB8kxkFndyhthsMzjGEn7NFXpnkF9WFm4LxeAB17ipGtNxPZNXy1Gp9QzEYboa4iSuawRf2Xf3P74uqqa1Ss8KTxq4xykh9L4'

/** Everything that the payment providers need. */
const PROVIDERS = {
  BITCOIN_RPC_URL: 'http://127.0.0.1:8332/',
  BITCOIN_RPC_COOKIE: '/bitcoin/.cookie',
  BITCOIN_XPUB: XPUB,
  BTCPAY_URL: 'https://btcpay.example/',
  BTCPAY_API_KEY: 'key',
  BTCPAY_STORE_ID: 'store',
  BTCPAY_WEBHOOK_SECRET: 'secret',
  OPENNODE_API_KEY: 'key',
}

const RELAYS = [
  'https://api.drand.sh',
  'https://api2.drand.sh',
  'https://api3.drand.sh',
  'https://drand.cloudflare.com',
]

function problemsOf(env: Record<string, string>, args: string[] = []): readonly string[] {
  try {
    readConfig(env, args)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('the configuration of the demo', () => {
  it('the demo needs no configuration', () => {
    expect(readConfig({})).toEqual({
      mode: 'demo',
      role: 'both',
      isDevelopment: false,
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      consoleUrl: null,
      startsConsole: true,
      trustProxy: [],
      dataDir: './data',
      databaseUrl: null,
      databasePoolSize: 10,
      drainSeconds: 0,
      bitcoinNetwork: 'regtest',
      payments: 'test',
      lightning: 'test',
      clnRpcFile: null,
      lnd: null,
      lightningFirstMaxSats: 200_000n,
      lightningInMaxSats: 4_000_000n,
      lightningPayoutMaxSats: 1_000_000n,
      lightningFeePpm: 5_000n,
      lightningFeeMinSats: 10n,
      lightningFloatSats: null,
      bitcoinNode: null,
      bitcoinXpub: null,
      bitcoinWatchWallet: 'fairball-watch',
      bitcoinHotWallet: 'fairball-hot',
      bitcoinConfirmations: 1,
      btcpay: null,
      opennode: null,
      explorerUrl: null,
      payoutApprovalSats: null,
      payoutFloatSats: null,
      beacon: 'local',
      drandRelays: RELAYS,
      logAfter: null,
      policy: 'quorum none\n',
      rates: 'fixed',
      rateSources: ['coinbase', 'kraken', 'bitstamp', 'coingecko'],
      smtpUrl: null,
      mailFrom: null,
      supportEmail: null,
      content: EXAMPLE_CONTENT,
      contentFile: null,
      socialLogins: { google: null, facebook: null, twitter: null },
      secretKey: null,
      metricsToken: null,
      monitorPort: null,
      logLevel: 'info',
    })
  })

  it('the configuration takes a token and a port for the monitor, and refuses a short token and the port of the players', () => {
    expect(readConfig({ METRICS_TOKEN: 'a-token-long-enough', MONITOR_PORT: '9464' })).toMatchObject({
      metricsToken: 'a-token-long-enough',
      monitorPort: 9464,
    })
    expect(problemsOf({ METRICS_TOKEN: 'pl4nted' })).toEqual([
      'METRICS_TOKEN: set 16 to 250 letters, digits and the like, without spaces: openssl rand -hex 32.',
    ])
    expect(problemsOf({ PORT: '9464', MONITOR_PORT: '9464' })).toEqual([
      'MONITOR_PORT=9464: the same as PORT. Set another one, or leave it out.',
    ])
  })

  it('an empty variable counts as not set, and a flag takes precedence over its variable', () => {
    expect(readConfig({ PORT: ' ', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: null })
    expect(readConfig({ ROLE: 'web' }, ['--role', 'worker', '--dev'])).toMatchObject({
      role: 'worker',
      isDevelopment: true,
    })
  })

  it('the public address follows the port, and stays open for any free port', () => {
    expect(readConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080')
    expect(readConfig({ PORT: '0' }).publicUrl).toBeNull()
    expect(readConfig({ PUBLIC_URL: 'https://Lottery.example/' }).publicUrl).toBe('https://lottery.example')
  })

  it.each([
    ['PORT', '80a', 'PORT=80a: set a port from 0 to 65535.'],
    ['PORT', '70000', 'PORT=70000: set a port from 0 to 65535.'],
    ['HOST', 'my computer', 'HOST=my computer: set an IP address, like 127.0.0.1.'],
    ['PUBLIC_URL', 'lottery.example', 'PUBLIC_URL=lottery.example: set an address like https://lottery.example.'],
    [
      'PUBLIC_URL',
      'https://a.example/b',
      'PUBLIC_URL=https://a.example/b: set the address without a path, like https://lottery.example.',
    ],
    [
      'TRUST_PROXY',
      'true',
      'TRUST_PROXY=true: list the addresses or networks of your proxies, like 10.0.0.5, 192.168.0.0/16.',
    ],
    [
      'TRUST_PROXY',
      '10.0.0.0/33',
      'TRUST_PROXY=10.0.0.0/33: list the addresses or networks of your proxies, like 10.0.0.5, 192.168.0.0/16.',
    ],
    ['ROLE', 'leader', 'ROLE=leader: set one of web, worker, both, console.'],
    [
      'DATABASE_URL',
      'mysql://root:hunter2@db',
      'DATABASE_URL: set an address like postgres://user:password@host/database.',
    ],
    ['DATABASE_POOL_SIZE', '1', 'DATABASE_POOL_SIZE=1: set a number from 2 to 500.'],
    ['BITCOIN_NETWORK', 'testnet', 'BITCOIN_NETWORK=testnet: set one of mainnet, testnet4, signet, regtest.'],
    [
      'BITCOIN_NETWORK',
      'mainnet',
      'BITCOIN_NETWORK=mainnet: the demo has no real bitcoin. Leave it out, or set NODE_ENV=production.',
    ],
    [
      'NODE_ENV',
      'Production',
      'NODE_ENV=Production: set production in small letters. Anything else is the demo, open to everybody.',
    ],
    ['PAYMENTS', 'paypal', 'PAYMENTS=paypal: set one of test, bitcoin-core, btcpay, opennode.'],
    ['BEACON', 'dice', 'BEACON=dice: set one of local, drand.'],
    [
      'DRAND_RELAYS',
      'https://api.drand.sh, ftp://relay.example',
      'DRAND_RELAYS: list up to 10 addresses of relays, comma-separated, like https://api.drand.sh, without user, query or password.',
    ],
    [
      'DRAND_RELAYS',
      'https://user:hunter@relay.example',
      'DRAND_RELAYS: list up to 10 addresses of relays, comma-separated, like https://api.drand.sh, without user, query or password.',
    ],
    ['RATES', 'dear', 'RATES=dear: set one of fixed, live.'],
    ...['kraken', 'kraken,kraken', 'kraken,mtgox', 'kraken;coinbase'].map((value): [string, string, string] => [
      'RATE_SOURCES',
      value,
      `RATE_SOURCES=${value}: list two or more of coinbase, kraken, bitstamp, coingecko, comma-separated.`,
    ]),
    ['BITCOIN_RPC_URL', 'hunter2@node', 'BITCOIN_RPC_URL: set an address like http://user:password@127.0.0.1:8332.'],
    [
      'BITCOIN_RPC_URL',
      'http://hunter@127.0.0.1:8332',
      'BITCOIN_RPC_URL: set both user and password in it, or neither and BITCOIN_RPC_COOKIE.',
    ],
    [
      'BITCOIN_RPC_URL',
      'http://127.0.0.1:8332',
      "BITCOIN_RPC_COOKIE: needed without a user and password in BITCOIN_RPC_URL. Set the node's .cookie file.",
    ],
    [
      'BITCOIN_RPC_COOKIE',
      '/bitcoin/.cookie',
      'BITCOIN_RPC_URL: needed with BITCOIN_RPC_COOKIE. Set the RPC address of your node.',
    ],
    [
      'BITCOIN_XPUB',
      TPUB.slice(TPUB.indexOf(']') + 1),
      'BITCOIN_XPUB: set an account key with its origin, like [d34db33f/84h/1h/0h]tpub….',
    ],
    ['BITCOIN_XPUB', XPUB, 'BITCOIN_XPUB: this is no tpub, which regtest needs, or it was not copied whole.'],
    [
      'BITCOIN_HOT_WALLET',
      'fairball-watch',
      'BITCOIN_HOT_WALLET: the same as BITCOIN_WATCH_WALLET. Set two wallets: one of them has no private keys.',
    ],
    [
      'BITCOIN_WATCH_WALLET',
      '../wallet',
      'BITCOIN_WATCH_WALLET=../wallet: set a name of letters, digits, dots, dashes and underscores.',
    ],
    ['BITCOIN_CONFIRMATIONS', '0', 'BITCOIN_CONFIRMATIONS=0: set a number from 1 to 100.'],
    [
      'BTCPAY_URL',
      'https://key@btcpay.example',
      'BTCPAY_URL=https://key@btcpay.example: set the address without a query or a password, like https://btcpay.example.',
    ],
    ['BTCPAY_API_KEY', 'hunter 2', 'BTCPAY_API_KEY: set it as the provider gave it, without spaces.'],
    ['EXPLORER_URL', 'mempool.space', 'EXPLORER_URL=mempool.space: set an address like https://mempool.space/tx/.'],
    ['PAYOUT_APPROVAL_SATS', '0.5', 'PAYOUT_APPROVAL_SATS=0.5: set a whole number of satoshis.'],
    ['PAYOUT_FLOAT_SATS', '0', 'PAYOUT_FLOAT_SATS=0: set from 1 to 2100000000000000 satoshis.'],
    ['SMTP_URL', 'hunter2', 'SMTP_URL: set an address like smtps://user:password@host.'],
    ['MAIL_FROM', 'Fairball', 'MAIL_FROM=Fairball: set one mailbox, like Fairball <no-reply@lottery.example>.'],
    [
      'MAIL_FROM',
      'a@lottery.example, b@lottery.example',
      'MAIL_FROM=a@lottery.example, b@lottery.example: set one mailbox, like Fairball <no-reply@lottery.example>.',
    ],
    [
      'MAIL_FROM',
      'Fairball <a@lottery.example> <b@lottery.example>',
      'MAIL_FROM=Fairball <a@lottery.example> <b@lottery.example>: set one mailbox, like Fairball <no-reply@lottery.example>.',
    ],
    ['SUPPORT_EMAIL', 'help', 'SUPPORT_EMAIL=help: set an email address, like help@lottery.example.'],
    ['GOOGLE_CLIENT_ID', 'two words', 'GOOGLE_CLIENT_ID=two words: set it as the provider gave it, without spaces.'],
    [
      'GOOGLE_API_URL',
      'accounts.example',
      'GOOGLE_API_URL=accounts.example: set an address like https://www.googleapis.com/oauth2/v3.',
    ],
    [
      'FACEBOOK_AUTH_URL',
      'https://f.example/dialog?display=popup',
      'FACEBOOK_AUTH_URL=https://f.example/dialog?display=popup: set the address without a query or a password, like https://www.facebook.com/v23.0/dialog/oauth.',
    ],
    ['FACEBOOK_APP_ID', '4711', 'FACEBOOK_APP_SECRET: needed with FACEBOOK_APP_ID. Set both, or neither.'],
    ['FACEBOOK_APP_SECRET', 'hunter2', 'FACEBOOK_APP_ID: needed with FACEBOOK_APP_SECRET. Set both, or neither.'],
    ['SECRET_KEY', 'hunter2', 'SECRET_KEY: set at least 32 random bytes in hex: openssl rand -hex 32.'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL=loud: set one of trace, debug, info, warn, error, fatal, silent.'],
  ])('the configuration says for %s=%s what to set', (name, value, problem) => {
    expect(problemsOf({ [name]: value })).toEqual([problem])
  })

  it('the configuration lists every problem at once', () => {
    expect(() => readConfig({ PORT: 'x', ROLE: 'y' }, ['--fast'])).toThrow(
      /has 3 problems:\n {2}- Unknown option '--fast'.*\n {2}- PORT=x: .*\n {2}- ROLE=y: /,
    )
  })

  it('the configuration reads proxies and the secret key', () => {
    const { trustProxy, secretKey } = readConfig({ TRUST_PROXY: '10.0.0.5, fd00::/8', SECRET_KEY: SECRET })
    expect(trustProxy).toEqual(['10.0.0.5', 'fd00::/8'])
    expect(secretKey).toEqual(new Uint8Array(32).fill(15))
  })
})

describe('the social logins', () => {
  it('each social login is on exactly when the provider’s settings are set, at the addresses of the provider', () => {
    expect(readConfig({ GOOGLE_CLIENT_ID: 'g.apps' }).socialLogins).toEqual({
      google: {
        clientId: 'g.apps',
        apiUrl: 'https://www.googleapis.com/oauth2/v3',
        authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      },
      facebook: null,
      twitter: null,
    })
    expect(readConfig({ FACEBOOK_APP_ID: '4711', FACEBOOK_APP_SECRET: 's' }).socialLogins.facebook).toEqual({
      appId: '4711',
      appSecret: 's',
      apiUrl: 'https://graph.facebook.com/v23.0',
      authUrl: 'https://www.facebook.com/v23.0/dialog/oauth',
    })
    const { twitter } = readConfig({ TWITTER_CLIENT_ID: 'x' }).socialLogins
    expect(twitter).toEqual({
      clientId: 'x',
      apiUrl: 'https://api.x.com',
      authUrl: 'https://x.com/i/oauth2/authorize',
    })
    const addresses = { GOOGLE_API_URL: 'https://id.example', FACEBOOK_API_URL: 'https://f.example' }
    expect(readConfig(addresses).socialLogins).toEqual({ google: null, facebook: null, twitter: null })
  })

  it('social logins may use a local provider in the demo, and only encrypted addresses in production', () => {
    const local = {
      GOOGLE_CLIENT_ID: 'g',
      GOOGLE_API_URL: 'http://localhost:9999/',
      GOOGLE_AUTH_URL: 'http://localhost:9999/auth',
    }
    expect(readConfig(local).socialLogins.google?.apiUrl).toBe('http://localhost:9999')
    const problems = problemsOf({ ...PRODUCTION, ...local }).filter((problem) => problem.startsWith('GOOGLE'))
    expect(problems).toEqual([
      "GOOGLE_API_URL=http://localhost:9999: players' tokens would travel in the open. Set an https address.",
      "GOOGLE_AUTH_URL=http://localhost:9999/auth: players' tokens would travel in the open. Set an https address.",
    ])
  })

  it.each([
    ['https://localhost', '/dev/social/google'],
    ['https://127.0.0.1:3000', '/auth'],
    ['https://[::1]', '/auth'],
    ['https://lottery.example', '/dev/social/google/auth'],
  ])('social logins are refused in production at a stand-in: %s%s', (origin, path) => {
    const local = { GOOGLE_CLIENT_ID: 'g', GOOGLE_AUTH_URL: `${origin}${path}` }
    expect(problemsOf({ ...PRODUCTION, ...local }).filter((problem) => problem.startsWith('GOOGLE'))).toEqual([
      `GOOGLE_AUTH_URL=${origin}${path}: part of the demo, where anyone can use any name. Set the provider's address.`,
    ])
  })

  it('social logins never repeat a secret in a problem', () => {
    expect(problemsOf({ FACEBOOK_APP_SECRET: 'hunter 2' }).join('\n')).not.toContain('hunter')
  })
})

describe('the payments', () => {
  it('payments are read as the providers need them', () => {
    const onSignet = {
      ...PROVIDERS,
      BITCOIN_NETWORK: 'signet',
      BITCOIN_XPUB: TPUB,
    }
    expect(
      readConfig({ ...onSignet, PAYOUT_APPROVAL_SATS: '10000000', EXPLORER_URL: 'https://ex.example/tx/' }),
    ).toMatchObject({
      bitcoinNode: { url: 'http://127.0.0.1:8332', login: { cookieFile: '/bitcoin/.cookie' } },
      bitcoinXpub: onSignet.BITCOIN_XPUB,
      bitcoinConfirmations: 1,
      btcpay: { url: 'https://btcpay.example', apiKey: 'key', storeId: 'store', webhookSecret: 'secret' },
      opennode: { url: 'https://dev-api.opennode.com', apiKey: 'key' },
      payoutApprovalSats: 10_000_000n,
      payoutFloatSats: null,
      explorerUrl: 'https://ex.example/tx/',
    })
    expect(readConfig({ BITCOIN_RPC_URL: 'http://rpc:h%40nter2@node:8332/wallet/' }).bitcoinNode).toEqual({
      url: 'http://node:8332/wallet',
      login: { user: 'rpc', password: 'h@nter2' },
    })
  })

  it('a Lightning node is for payments that we take, needs its socket, and is no made-up one in production', () => {
    const about = (env: Record<string, string>) =>
      problemsOf(env).filter((problem) => /LIGHTNING|CLN|LND/.test(problem))
    expect(about({ ...PROVIDERS, PAYMENTS: 'btcpay', LIGHTNING: 'test' })).toEqual([
      'LIGHTNING=test: with PAYMENTS=btcpay the provider takes Lightning itself. Leave it out, or take payments by bitcoin-core.',
    ])
    expect(about({ LIGHTNING: 'cln' })).toEqual([expect.stringMatching(/^CLN_RPC_FILE: needed with LIGHTNING=cln\./)])
    expect(about({ ...PRODUCTION, LIGHTNING: 'test' })).toEqual([expect.stringMatching(/^LIGHTNING=test: /)])
    expect(about({ LIGHTNING: 'cln', CLN_RPC_FILE: '/lightning/lightning-rpc' })).toEqual([])
    expect(about({ LIGHTNING: 'lnd' })).toEqual([
      expect.stringMatching(/^LND_REST_URL: needed with LIGHTNING=lnd\./),
      expect.stringMatching(/^LND_MACAROON_FILE: needed with LIGHTNING=lnd\./),
      expect.stringMatching(/^LND_TLS_CERT_FILE: needed with LIGHTNING=lnd\./),
    ])
    const lnd = { LIGHTNING: 'lnd', LND_MACAROON_FILE: '/lnd/macaroon', LND_TLS_CERT_FILE: '/lnd/tls.cert' }
    for (const url of ['http://127.0.0.1:8080', 'https://lnd.example/v1', 'https://me@lnd.example', '127.0.0.1:8080'])
      expect(about({ ...lnd, LND_REST_URL: url })[0]).toMatch(/^LND_REST_URL=/)
    expect(readConfig({ ...lnd, LND_REST_URL: 'https://127.0.0.1:8080/' })).toMatchObject({
      lightning: 'lnd',
      lnd: { url: 'https://127.0.0.1:8080', macaroonFile: '/lnd/macaroon', certificateFile: '/lnd/tls.cert' },
    })
    expect(readConfig({ LIGHTNING: 'none' }).lightning).toBe('none')
  })

  it('payments never repeat a password in a problem', () => {
    expect(problemsOf({ BITCOIN_RPC_URL: 'http://:hunter2@node' }).join('\n')).not.toContain('hunter2')
  })
})

describe('the sender of mails', () => {
  it.each([
    ['Fairball <play@lottery.example>', { name: 'Fairball', address: 'play@lottery.example' }],
    [
      '"Lottery, the fair one" <play@lottery.example>',
      { name: 'Lottery, the fair one', address: 'play@lottery.example' },
    ],
    [
      'Lottery, the fair one <play@lottery.example>',
      { name: 'Lottery, the fair one', address: 'play@lottery.example' },
    ],
    ['Потерея ⚽ <play@lottery.example>', { name: 'Потерея ⚽', address: 'play@lottery.example' }],
    ['<play@lottery.example>', { name: '', address: 'play@lottery.example' }],
    ['play@lottery.example', { name: '', address: 'play@lottery.example' }],
  ])('the sender is read from %s', (text, wanted) => {
    expect(readConfig({ MAIL_FROM: text }).mailFrom).toEqual(wanted)
  })

  it.each(['\r\n', '\n', '\r', '\u2028', '\u0000', '\u0085'])(
    'the sender has no character that could begin a header: %j',
    (bad) => {
      expect(problemsOf({ MAIL_FROM: `Fair${bad}Bcc: all@lottery.example <play@lottery.example>` })).toHaveLength(1)
      expect(problemsOf({ MAIL_FROM: `Fairball <play@lottery.example${bad}>` })).toHaveLength(1)
    },
  )
})

describe('the configuration of production', () => {
  it('production refuses every part of the demo, all at once', () => {
    const named = problemsOf({ NODE_ENV: 'production' }, ['--dev']).map((problem) => problem.split(/[:=]/)[0])
    expect(named).toEqual([
      'PUBLIC_URL',
      'DATABASE_URL',
      'BITCOIN_NETWORK',
      'PAYMENTS',
      'BEACON',
      'RATES',
      'WITNESSES',
      'SMTP_URL',
      'SECRET_KEY',
      '--dev',
    ])
  })

  it.each(['bitcoin-core', 'btcpay', 'opennode'])(
    'production is complete with %s, drand and live rates',
    (PAYMENTS) => {
      const set = { ...PRODUCTION, ...PROVIDERS, BEACON: 'drand', RATES: 'live', PAYMENTS }
      expect(readConfig(set)).toMatchObject({ mode: 'production', payments: PAYMENTS, bitcoinConfirmations: 2 })
    },
  )

  it.each([
    ['bitcoin-core', ['BITCOIN_RPC_URL', 'BITCOIN_XPUB']],
    ['btcpay', ['BITCOIN_RPC_URL', 'BTCPAY_URL', 'BTCPAY_API_KEY', 'BTCPAY_STORE_ID', 'BTCPAY_WEBHOOK_SECRET']],
    ['opennode', ['BITCOIN_RPC_URL', 'OPENNODE_API_KEY']],
  ])('production names everything that %s needs, at once', (name, wanted) => {
    const problems = problemsOf({ ...PRODUCTION, PAYMENTS: name, BEACON: 'drand', RATES: 'live' })
    const needed = problems.filter((problem) => problem.includes(`: needed with PAYMENTS=${name}. Set `))
    expect(needed.map((problem) => problem.split(':')[0])).toEqual(wanted)
  })

  it('production refuses one confirmation on mainnet, a key of a test network, and money keys in the open', () => {
    const problems = problemsOf({
      ...PRODUCTION,
      ...PROVIDERS,
      BEACON: 'drand',
      RATES: 'live',
      BITCOIN_CONFIRMATIONS: '1',
      BITCOIN_XPUB: TPUB,
      BTCPAY_URL: 'http://btcpay.example',
      OPENNODE_API_URL: 'http://opennode.example',
    })
    expect(problems).toEqual([
      'BITCOIN_XPUB: this is no xpub, which mainnet needs, or it was not copied whole.',
      'BITCOIN_CONFIRMATIONS=1: too few on mainnet, where a block can be undone. Set 2 or more.',
      'PAYMENTS: part of the demo. Set bitcoin-core, btcpay or opennode.',
      'BTCPAY_URL=http://btcpay.example: its key would travel in the open. Set an https address.',
      'OPENNODE_API_URL=http://opennode.example: its key would travel in the open. Set an https address.',
    ])
  })

  it.each([
    ['http://rpc:pw@127.0.0.1:8332', []],
    ['http://rpc:pw@bitcoind:8332', []],
    ['http://rpc:pw@10.1.2.3:8332', []],
    ['http://rpc:pw@[::1]:8332', []],
    ['https://rpc:pw@node.example', []],
    ['http://rpc:pw@node.example:8332', ['BITCOIN_RPC_URL']],
    ['http://rpc:pw@203.0.113.9:8332', ['BITCOIN_RPC_URL']],
  ])('the node’s login is sent only where no one listens: %s', (BITCOIN_RPC_URL, wanted) => {
    const set = {
      ...PRODUCTION,
      ...PROVIDERS,
      BITCOIN_RPC_COOKIE: '',
      BEACON: 'drand',
      RATES: 'live',
      PAYMENTS: 'bitcoin-core',
    }
    const problems = problemsOf({ ...set, BITCOIN_RPC_URL })
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(wanted)
    expect(problems.join()).not.toContain('pw@')
  })

  it('production refuses an address without encryption, and a short secret without repeating it', () => {
    const problems = problemsOf({ ...PRODUCTION, PUBLIC_URL: 'http://lottery.example', SECRET_KEY: '0f0f' })
    expect(problems.join('\n')).toContain('PUBLIC_URL=http://lottery.example: players')
    expect(problems.join('\n')).not.toContain('0f0f')
  })
})

it('the configuration is as docs/configuration.md says', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../docs/configuration.md'), 'utf8')
  const list = /<!-- configuration -->([\s\S]*)<!-- \/configuration -->/.exec(text)?.[1] ?? ''
  expect(list.trim().split('\n'), 'run: npm run configuration').toEqual(CONFIG_LIST)
})

describe('the policy of witnesses', () => {
  it('the policy is the text of the file in WITNESSES', () => {
    const text = `${witnessLine('w1')} https://w1.example\nquorum w1\n`
    expect(readConfig({ WITNESSES: policyFile(text) }).policy).toBe(text)
  })

  it('a new log names the lost one by its last checkpoint, which is of another name', () => {
    const text = `old.example/fairball\n812\n${Buffer.alloc(32, 0x5e).toString('base64')}\n`
    const file = policyFile(`${text}\n— old.example/fairball ${Buffer.alloc(68).toString('base64')}\n`)
    const env = { PUBLIC_URL: 'https://new.example', LOG_AFTER: file }
    const ended = { origin: 'old.example/fairball', size: 812, root: '5e'.repeat(32) }
    expect([readConfig(env).logAfter, readConfig({}).logAfter]).toEqual([ended, null])
    expect(problemsOf({ ...env, PUBLIC_URL: 'https://old.example' })).toEqual([
      `LOG_AFTER=${file}: is of the log old.example/fairball, and a name is used once. Set another host in PUBLIC_URL.`,
    ])
    const other = policyFile('no checkpoint')
    expect(problemsOf({ LOG_AFTER: other })[0]).toMatch(/holds no signed checkpoint/)
    expect(problemsOf({ LOG_AFTER: '/nowhere/checkpoint' })[0]).toMatch(/cannot be read \(ENOENT\)/)
  })

  it('no witnesses are asked if WITNESSES is none-i-know, or left out in the demo', () => {
    for (const WITNESSES of ['none-i-know', '', ' ']) expect(readConfig({ WITNESSES }).policy).toBe('quorum none\n')
  })

  it.each([
    ['quorum none\n', 'a policy with "quorum none" is met by nothing. Set WITNESSES=none-i-know instead.'],
    [
      `${witnessLine('w1')}\nquorum w1\n`,
      'the witness w1.example/witness cannot be asked. End its line with its URL, like https://witness.example.',
    ],
    ['1 alice=ab\n', 'A policy has no line "1". Set the path of a policy (C2SP tlog-policy), or none-i-know.'],
  ])('the policy is refused with what to set: %j', (text, problem) => {
    const file = policyFile(text)
    expect(problemsOf({ WITNESSES: file })).toEqual([`WITNESSES=${file}: ${problem}`])
  })

  it('the policy is refused if the file cannot be read', () => {
    const [problem = '', ...others] = problemsOf({ WITNESSES: '/nowhere/policy' })
    expect(others).toEqual([])
    expect(problem).toMatch(/^WITNESSES=\/nowhere\/policy: the file cannot be read .* or none-i-know\.$/)
  })

  function witnessLine(name: string): string {
    return `witness ${name} ${verifierKey({ name: `${name}.example/witness`, publicKey: new Uint8Array(32).fill(9) }, WITNESS_KEY_TYPE)}`
  }

  function policyFile(text: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'fairball-policy-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'policy'), text)
    return join(folder, 'policy')
  }
})
