import { type Answers, isRehearsal, type Target } from './setup-files.ts'

/** One question of the setup. Its answer is the value of a variable of the configuration. */
interface Question {
  /** the variable */
  readonly name: string
  readonly text: string
  /** what an empty answer means; null where one has to be given, '' where it may be left out */
  usual(given: Answers, target: Target): string | null
  /** whether it is asked at all, by the answers before it */
  isFor(given: Answers): boolean
}

const always = (): boolean => true
const withReal = (given: Answers): boolean => given['PAYMENTS'] !== 'test'
const withProvider =
  (...names: readonly string[]) =>
  ({ PAYMENTS: chosen = '' }: Answers): boolean =>
    names.includes(chosen)
const withLightning =
  (name: string) =>
  ({ LIGHTNING: chosen = '' }: Answers): boolean =>
    chosen === name
const inProduction = (given: Answers): boolean => !isRehearsal(given)

function question(
  name: string,
  text: string,
  usual: string | null | Question['usual'],
  isFor: Question['isFor'] = always,
): Question {
  return { name, text, usual: typeof usual === 'function' ? usual : () => usual, isFor }
}

/** What the setup asks, in its order. Every other variable of the configuration may be answered too. */
export const QUESTIONS: readonly Question[] = [
  question(
    'BITCOIN_NETWORK',
    'The bitcoin network: mainnet, or signet or testnet4 for a rehearsal in public, or regtest for one on this computer alone',
    'mainnet',
  ),
  question('PUBLIC_URL', 'The address that players will open, like https://lottery.example', (given) =>
    isRehearsal(given) ? 'http://localhost:3000' : null,
  ),
  question(
    'CONSOLE_URL',
    "The address of the operator's console, at another host, like https://console.lottery.example; empty for none",
    '',
    inProduction,
  ),
  question('PAYMENTS', 'Who takes bitcoin: bitcoin-core, btcpay or opennode', 'bitcoin-core'),
  question(
    'BITCOIN_RPC_URL',
    "The RPC address of your bitcoin node, with the user of the worker, like http://fairball:password@127.0.0.1:8332; without a user the node's cookie is used",
    null,
    withReal,
  ),
  question(
    'BITCOIN_RPC_COOKIE',
    "The file .cookie in the node's data folder",
    null,
    (given) => withReal(given) && !hasLogin(given['BITCOIN_RPC_URL']),
  ),
  question(
    'WEB_BITCOIN_RPC_URL',
    'The same with a user for web processes, which cannot spend (docs/operations.md, section 2); empty for the one above',
    '',
    (given) => withReal(given) && hasLogin(given['BITCOIN_RPC_URL']) && inProduction(given),
  ),
  question(
    'BITCOIN_XPUB',
    'The account key of the deposits, like [d34db33f/84h/0h/0h]xpub6…; empty on a test network has the node make one',
    ({ BITCOIN_NETWORK: network }) => (network === 'mainnet' ? null : ''),
    withProvider('bitcoin-core'),
  ),
  question('BTCPAY_URL', 'The address of your BTCPay Server', null, withProvider('btcpay')),
  question('BTCPAY_STORE_ID', "Your store's id there", null, withProvider('btcpay')),
  question('BTCPAY_API_KEY', 'An API key of that store', null, withProvider('btcpay')),
  question('BTCPAY_WEBHOOK_SECRET', "The secret of the store's webhook", null, withProvider('btcpay')),
  question('OPENNODE_API_KEY', 'A key of your account that may create invoices', null, withProvider('opennode')),
  question(
    'LIGHTNING',
    'Whether orders can be paid over Lightning too: none, cln or lnd',
    'none',
    withProvider('bitcoin-core'),
  ),
  question('CLN_RPC_FILE', 'The socket of your Core Lightning node', null, withLightning('cln')),
  question('LND_REST_URL', "The address of your lnd node's REST API", null, withLightning('lnd')),
  question('LND_MACAROON_FILE', 'The file of its macaroon', null, withLightning('lnd')),
  question('LND_TLS_CERT_FILE', 'The file of its tls.cert', null, withLightning('lnd')),
  question('PAYOUT_FLOAT_SATS', 'The intended size of the payouts’ wallet, in satoshis', '20000000', withReal),
  question('PAYOUT_APPROVAL_SATS', 'Above how many satoshis a payout waits for a person', '5000000', withReal),
  question(
    'WITNESSES',
    'The file of the witnesses’ policy (docs/operations.md, section 3), or none-i-know',
    null,
    inProduction,
  ),
  question('SMTP_URL', 'The mail server, like smtps://user:password@mail.example', null, inProduction),
  question('SUPPORT_EMAIL', 'The address that players write to for help; empty for none', ''),
  question('CONTENT_FILE', 'The content file (docs/operator-content.md); empty for none', '', inProduction),
  question(
    'TRUST_PROXY',
    'The address of your reverse proxy, as the program sees it',
    (_, target) => (target === 'compose' ? '172.30.71.2' : '127.0.0.1'),
    always,
  ),
]

/** Whether an address has a user and a password. */
function hasLogin(address = ''): boolean {
  return URL.canParse(address) && new URL(address).username !== '' && new URL(address).password !== ''
}
