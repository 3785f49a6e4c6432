// Carries out docs/run.md as a stranger does: every command as it stands on the page, on a bare Debian 12 that has systemd as
// its first process, in a container of its own. Then the services are restarted, another ticket is sold, the console starts
// and invites its first person, and a backup is made and restored on trial, each by its unit.
// As root on Debian, with mmdebstrap and systemd-container; the container has the network of this computer.
// Run: npm run trials run-page
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pause } from './faults/database.ts'

const ROOT = join(import.meta.dirname, '..')
const { MIRROR, npmSettings } = createRequire(import.meta.url)('../scripts/image.cjs') as {
  MIRROR: string
  /** this user's npm settings: files of this computer, and where they have to be in another system */
  npmSettings: (folder: string) => [file: string, place: string][]
}
const MOST_STEPS = 10
/** What a bare Debian has that mmdebstrap's least one has not. */
const BARE = ['systemd-sysv', 'dbus']
/** The address of the sources on the page. */
const SOURCES = 'https://git.example/fairball'
const BOOT_SECONDS = 60
/** What a shell of root's has. */
const SURROUNDINGS = ['HOME=/root', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin']
const RESTART =
  'systemctl restart fairball-worker@1 fairball-web@3000 && until curl --fail --silent http://localhost:3000/readyz; do sleep 1; done'
/** The units that the page's steps do not start. */
const OTHER_UNITS = [
  'systemctl enable --now fairball-console && until curl --fail --silent http://localhost:14010/readyz; do sleep 1; done',
  `link=$(/etc/fairball/operator staff-invite 'First Owner' owner@lottery.example owner --reason 'the first day' | grep -o 'http[^ ]*') && curl --fail --silent --show-error --output /dev/null "$link"`,
  'systemctl enable --now fairball-backup.timer fairball-restore-trial.timer',
  'systemctl start fairball-backup && ls /var/backups/fairball/base',
  'systemctl start fairball-restore-trial',
]
/** What a unit said before it failed. */
const JOURNAL = 'systemctl --failed --no-pager; journalctl --no-pager --lines 60'

const steps = commandsOf(readFileSync(join(ROOT, 'docs/run.md'), 'utf8'))
if (steps.length === 0 || steps.length > MOST_STEPS) throw new Error(`The page has ${steps.length} steps.`)
const folder = mkdtempSync(join(tmpdir(), 'fairball-debian-'))
const system = join(folder, 'system')
let container: ChildProcess | null = null
try {
  run('mmdebstrap', ['--variant=minbase', '--quiet', `--include=${BARE.join(',')}`, 'bookworm', system, MIRROR])
  run('git', ['clone', '--quiet', '--bare', ROOT, join(system, 'srv/fairball.git')])
  appendFileSync(join(system, 'root/.gitconfig'), `[url "file:///srv/fairball.git"]\n\tinsteadOf = ${SOURCES}\n`)
  container = start()
  const leader = await booted(container)
  for (const [place, step] of [...steps, RESTART, steps.at(-1) ?? '', ...OTHER_UNITS].entries()) {
    process.stdout.write(`\n── ${place + 1}: ${step}\n`)
    try {
      runInside(leader, step)
    } catch (error) {
      runInside(leader, JOURNAL)
      throw error
    }
    if (step.startsWith('git clone')) bringNode()
  }
  process.stdout.write(
    `\n${steps.length} steps from a bare Debian to a sold ticket, another after a restart, and every unit ran.\n`,
  )
} finally {
  if (container !== null && container.exitCode === null) {
    const ended = once(container, 'exit')
    container.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
}

/** The options of nsenter for the system of a process. */
function inside(leader: string): string[] {
  return ['--target', leader, '--all', '--root', '--wd', '--']
}

/** Runs a command as root's shell does, in the folder that the second step leads to. @throws Error if it fails */
function runInside(leader: string, command: string): void {
  const shell = ['/usr/bin/env', '-i', ...SURROUNDINGS, '/bin/bash', '-ec']
  run('nsenter', [...inside(leader), ...shell, `cd /opt/fairball 2> /dev/null || cd; ${command}`])
}

/** Takes over the bitcoin node that this computer has fetched already, if there is one: it is from Debian too. */
function bringNode(): void {
  const [from, to] = [ROOT, join(system, 'opt/fairball')].map((place) => join(place, '.cache/bitcoin-node')) as [
    string,
    string,
  ]
  if (existsSync(from)) cpSync(from, to, { recursive: true, verbatimSymlinks: true })
}

/** The commands of the page's numbered steps, in their order. */
function commandsOf(page: string): string[] {
  return [...page.matchAll(/^ {3}```\n((?: {3}.*\n)+?) {3}```$/gm)].map(([, command = '']) =>
    command.replace(/^ {3}/gm, '').trim(),
  )
}

/** Starts the system. What its first process prints is not shown. */
function start(): ChildProcess {
  const settings = npmSettings(folder).map(([file, place]) => `--bind-ro=${file}:${place}`)
  const options = ['--quiet', '--boot', '--register=no', '--keep-unit', '--link-journal=no', '--resolv-conf=copy-host']
  return spawn('systemd-nspawn', [...options, ...settings, `--directory=${system}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Waits until the system has booted. @returns the id of its first process on this computer */
async function booted(of: ChildProcess): Promise<string> {
  for (let second = 0; second < BOOT_SECONDS; second += 1) {
    if (of.exitCode !== null) throw new Error(`systemd-nspawn ended with ${of.exitCode}`)
    const leader = spawnSync('pgrep', ['--parent', String(of.pid)], { encoding: 'utf8' }).stdout.trim()
    const { stdout } = spawnSync('nsenter', [...inside(leader), 'systemctl', 'is-system-running'], { encoding: 'utf8' })
    if (/^(running|degraded)$/m.test(stdout)) return leader
    await pause(1000)
  }
  throw new Error(`The system has not booted after ${BOOT_SECONDS} s.`)
}

/** @throws Error if the program fails */
function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${program} failed (${status}).`)
}
