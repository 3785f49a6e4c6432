// Runs nginx with the project's own configuration (deploy/nginx), in a temporary folder.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PROGRAM = process.env['NGINX'] ?? 'nginx'
const CONFIG = join(import.meta.dirname, '../deploy/nginx/fairball.conf')
/** Folders of nginx for what does not fit its buffers. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
const LOOK_MS = 50
/** Connections of a worker: a usual limit of descriptors is 20,000. */
const MOST_CONNECTIONS = 19_000

interface NginxSettings {
  readonly listenPort: number
  /** The lines of `fairball-upstream.conf`. */
  readonly servers: readonly string[]
  /** Time limit for requests in flight when it reloads, in seconds. */
  readonly drainSeconds?: number
}

/** A running nginx. */
interface Nginx {
  /** The ids of the processes that answer. */
  workers(): number[]
  /** Changes the lines of `fairball-upstream.conf`, and waits until requests that began before are answered. */
  reload(servers: readonly string[]): Promise<void>
  stop(): Promise<void>
}

/** Whether nginx is installed. */
export function hasNginx(): boolean {
  return spawnSync(PROGRAM, ['-v']).status === 0
}

/** @throws Error if there is no nginx, or if it refuses the configuration, with its words */
export async function startNginx({ listenPort, servers, drainSeconds = 5 }: NginxSettings): Promise<Nginx> {
  if (!hasNginx()) throw new Error(`There is no ${PROGRAM}. Install it (apt-get install nginx), or set NGINX.`)
  const folder = mkdtempSync(join(tmpdir(), 'fairball-nginx-'))
  chmodSync(folder, 0o711)
  const args = ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log']
  const use = (lines: readonly string[]): void =>
    writeFileSync(join(folder, 'fairball-upstream.conf'), lines.join('\n'))
  use(servers)
  writeConfiguration(folder, listenPort, drainSeconds)
  const check = spawnSync(PROGRAM, [...args, '-t'], { encoding: 'utf8' })
  if (check.status !== 0) throw new Error(`${check.stderr}${readFileSync(join(folder, 'error.log'), 'utf8')}`)

  const nginx: ChildProcess = spawn(PROGRAM, args, { stdio: 'ignore' })
  const ended = once(nginx, 'exit')
  await Promise.race([
    untilAnswers(listenPort),
    ended.then(() => Promise.reject(new Error(`${PROGRAM} ended, see ${folder}/error.log`))),
  ])
  const workers = (): number[] =>
    readFileSync(`/proc/${nginx.pid}/task/${nginx.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return {
    workers,
    async reload(lines) {
      use(lines)
      const old = workers()
      spawnSync(PROGRAM, [...args, '-s', 'reload'])
      const until = performance.now() + drainSeconds * 1000
      while (workers().some((pid) => old.includes(pid)) && performance.now() < until) await pause()
    },
    async stop() {
      nginx.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function writeConfiguration(folder: string, listenPort: number, drainSeconds: number): void {
  for (const name of TEMPORARY) mkdirSync(join(folder, name))
  const site = readFileSync(CONFIG, 'utf8').replaceAll('/var/cache/', join(folder, 'cache-of-'))
  writeFileSync(join(folder, 'fairball.conf'), site)
  writeFileSync(join(folder, 'fairball-listen.conf'), `listen 127.0.0.1:${listenPort};`)
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  const paths = TEMPORARY.map((name) => `${name}_temp_path ${name};\n`).join('')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${user}daemon off;\nworker_processes 2;\nworker_shutdown_timeout ${drainSeconds}s;\npid nginx.pid;\nevents { worker_connections ${MOST_CONNECTIONS}; }\n` +
      `http {\naccess_log off;\n${paths}include fairball.conf;\n}\n`,
  )
}

/** nginx answers this address itself. */
async function untilAnswers(listenPort: number): Promise<void> {
  while (
    !(await fetch(`http://127.0.0.1:${listenPort}/now`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await pause()
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}
