// Builds the image of Containerfile and tries it as an operator does: the setup writes settings and secrets from inside it,
// web, worker and console start as its ordinary user, who can change none of its files; a ticket is sold, the processes are
// restarted, and another is sold. As root on Debian, with buildah, mmdebstrap and psql (postgresql-client); PostgreSQL and
// a bitcoin node of a chain of its own run outside.
// Run: npm run trials image
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { freePort } from '@fairball/server/testing/fixtures'
import { pause, startDatabaseServer } from './faults/database.ts'

const ROOT = join(import.meta.dirname, '..')
const ANSWERS = join(ROOT, 'deploy/rehearsal.env')
const { buildImage } = createRequire(import.meta.url)('../scripts/image.cjs') as {
  buildImage: (store: string) => { name: string; size: number; command: Command }
}
/** The user of the image. */
const USER = 1000
const READY_SECONDS = 60
const STOP_SECONDS = 30
const OPERATOR = 'packages/server/src/main/operator.ts'
const ROLES = ['worker', 'web', 'console'] as const
type Role = (typeof ROLES)[number]
/** The arguments of buildah for a command. */
type Command = (args: readonly string[]) => string[]
/** The ports of this computer where pages are served. */
type Ports = Readonly<Record<'web' | 'console', number>>

const folder = mkdtempSync(join(tmpdir(), 'fairball-image-'))
chmodSync(folder, 0o711) // the database runs as another user
const [data, content, settings] = ['data', 'content', 'private'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
for (const path of [data, content, settings]) mkdirSync(path)
chownSync(data, USER, USER)
const ends: (() => unknown)[] = []
async function tryImage(): Promise<void> {
  const image = buildImage(join(ROOT, '.cache/image'))
  const database = await startDatabaseServer(folder)
  ends.push(() => database.stop())
  const databasePort = await overTcp(new URL(database.url).searchParams.get('host') ?? '')
  await run('node', ['scripts/rehearsal-node.cjs'])
  ends.push(() => run('node', ['scripts/rehearsal-node.cjs', 'stop']))
  const ports = { web: await freePort(), console: await freePort() }
  const container = await Container.of(image, ports)
  await container.run(
    ['--user', '0', '--volume', `${settings}:/private`, '--volume', `${ANSWERS}:/answers.env:ro`],
    [
      OPERATOR,
      'setup',
      '--for',
      'compose',
      '--folder',
      '/private',
      '--answers',
      '/answers.env',
      '--database-host',
      `127.0.0.1:${databasePort}`,
      '--public-url',
      `http://localhost:${ports.web}`,
      '--console-url',
      `http://localhost:${ports.console}`,
      '--backup-archive',
      '',
    ],
  )
  await run('psql', [
    '--quiet',
    '--set',
    'ON_ERROR_STOP=1',
    '--file',
    join(settings, 'database/logins.sql'),
    database.url,
  ])
  container.assertUnchangeable()

  await container.start()
  await run('node', ['scripts/rehearsal-node.cjs', 'fund'])
  const coins = await container.coins()
  await container.operator('bankroll-deposit', coins.join(','), '--reason', 'the first coins')
  await sellTicket(ports.web)
  await container.stop()
  await container.start()
  await sellTicket(ports.web)
  await container.stop()
}

/** The processes of the image, each with the folders that compose.yaml mounts. */
class Container {
  readonly #command: Command
  readonly #name: string
  readonly #ports: Ports
  readonly #running = new Map<Role, ChildProcess>()

  private constructor(command: Command, name: string, ports: Ports) {
    this.#command = command
    this.#name = name
    this.#ports = ports
  }

  static async of({ name, command }: ReturnType<typeof buildImage>, ports: Ports): Promise<Container> {
    const container = (await run('buildah', command(['from', name]))).trim()
    const made = new Container(command, container, ports)
    ends.push(
      () => run('buildah', command(['rm', container])),
      () => made.stop(),
    )
    return made
  }

  /** Runs a program of the image to its end. @returns what it printed */
  async run(options: readonly string[], args: readonly string[]): Promise<string> {
    return await run('buildah', this.#command(this.#words(options, args)))
  }

  async operator(...args: readonly string[]): Promise<string> {
    return await this.run(this.#optionsOf('worker'), [OPERATOR, ...args])
  }

  /** The coins in the payouts' wallet, once the worker has seen them. */
  async coins(): Promise<string[]> {
    for (let second = 0; second < READY_SECONDS; second += 1) {
      const told = await this.operator('treasury')
      const coins = told.match(/[0-9a-f]{64}:[0-9]+/g)
      if (coins !== null) return coins
      await pause(1000)
    }
    throw new Error(`the treasury shows no coins:\n${await this.operator('treasury')}`)
  }

  /** Nothing that the image brings along can be changed by its user. */
  assertUnchangeable(): void {
    const look = `require('fs').accessSync(process.argv[1], 2)`
    for (const path of [
      '/srv/fairball',
      '/srv/fairball/packages/server/src/main/main.ts',
      '/usr/local/bin/node',
      '/etc/passwd',
    ])
      if (spawnSync('buildah', this.#command(this.#words(this.#optionsOf('web'), ['-e', look, path]))).status === 0)
        throw new Error(`the user of the image may change ${path}`)
  }

  async start(): Promise<void> {
    for (const role of ROLES) {
      const monitorPort = await freePort()
      const options = [...this.#optionsOf(role), '--env', `MONITOR_PORT=${monitorPort}`]
      const child = spawn('buildah', this.#command(this.#words(options, ['packages/server/src/main/main.ts'])), {
        stdio: 'inherit',
        detached: true,
      })
      this.#running.set(role, child)
      await untilReady(role, child, monitorPort)
    }
  }

  /** Ends every process, and waits for them. */
  async stop(): Promise<void> {
    for (const [role, child] of this.#running) {
      this.#running.delete(role)
      if (child.exitCode !== null) continue
      const ended = once(child, 'exit')
      process.kill(-(child.pid ?? 0), 'SIGTERM')
      await Promise.race([
        ended,
        pause(STOP_SECONDS * 1000).then(() => Promise.reject(new Error(`${role} does not end`))),
      ])
    }
  }

  #words(options: readonly string[], args: readonly string[]): string[] {
    return ['run', '--isolation', 'chroot', ...options, this.#name, '--', 'node', ...args]
  }

  #optionsOf(role: Role): string[] {
    const env = {
      ...parseEnv(readFileSync(join(settings, 'settings.env'), 'utf8')),
      ROLE: role,
      CREDENTIALS_DIRECTORY: '/run/private',
      PORT: String(this.#ports.web),
      CONSOLE_PORT: String(this.#ports.console),
    }
    const volumes = [
      `${join(settings, role)}:/run/private:ro`,
      `${data}:/var/lib/fairball`,
      `${content}:/etc/fairball:ro`,
    ]
    return [
      '--user',
      `${USER}:${USER}`,
      ...volumes.flatMap((volume) => ['--volume', volume]),
      ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ]
  }
}

async function untilReady(role: Role, child: ChildProcess, monitorPort: number): Promise<void> {
  for (let second = 0; second < READY_SECONDS; second += 1) {
    if (child.exitCode !== null) throw new Error(`${role} ended with ${child.exitCode}`)
    const isReady = await fetch(`http://127.0.0.1:${monitorPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await pause(1000)
  }
  throw new Error(`${role} is not ready after ${READY_SECONDS} s`)
}

/** The database's socket at a port of this computer, as containers reach a server. */
async function overTcp(host: string): Promise<number> {
  const server = createServer((client) => {
    const socket = connect(join(host, '.s.PGSQL.5432'))
    client.pipe(socket).pipe(client)
    for (const side of [client, socket]) side.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => server.close())
  return (server.address() as { port: number }).port
}

async function sellTicket(port: number): Promise<void> {
  const pay = 'node scripts/rehearsal-node.cjs pay'
  process.stdout.write(await run('node', ['scripts/first-ticket.mjs', `http://localhost:${port}`, '--pay', pay]))
}

/** @returns what the program printed @throws Error if it fails */
async function run(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, REHEARSAL_FOLDER: join(folder, 'bitcoin') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (printed += piece))
  const [status] = (await once(child, 'close')) as [number | null]
  if (status !== 0) throw new Error(`${program} ${args.slice(0, 3).join(' ')} … failed (${status}).`)
  return printed
}

try {
  await tryImage()
  process.stdout.write('The image sold a ticket, was restarted, and sold another.\n')
} finally {
  for (const end of ends.toReversed()) await end()
  rmSync(folder, { recursive: true, force: true })
}
