import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { OPERATOR_COMMANDS } from '../packages/server/src/main/operator-commands.ts'
import { VARIABLE_NAMES } from '../packages/server/src/config/variables.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, 'deploy/systemd')
const { SERVER_OPTIONS, SERVER_VARIABLES } = createRequire(import.meta.url)('./bootstrap.cjs')
const units = readdirSync(FOLDER).filter((name) => name.endsWith('.service'))
const read = (name) => readFileSync(join(FOLDER, name), 'utf8')
/** The values of a key, in order. */
const valuesOf = (name, key) => [...read(name).matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value)
const PROGRAMS = ['fairball-console.service', 'fairball-web@.service', 'fairball-worker@.service']
/** Those that run the operator's commands as root are given more. */
const COMMANDS = ['fairball-backup.service', 'fairball-restore-trial.service']
/** The highest exposure that `systemd-analyze security` may report, in tenths; 10.0 is a service without limits. */
const MAX_EXPOSURE = 15
const MAX_EXPOSURE_OF_ROOT = 50
const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0

it('each role has a unit with a user, credentials and limits of its own', () => {
  expect(units.filter((name) => !name.startsWith('fairball-witness'))).toEqual(expect.arrayContaining(PROGRAMS))
  const made = readFileSync(join(FOLDER, 'fairball.sysusers.conf'), 'utf8')
  for (const name of PROGRAMS) {
    const [, role] = /^fairball-(\w+)/.exec(name)
    expect(valuesOf(name, 'User')).toEqual([`fairball-${role}`])
    expect(made).toMatch(new RegExp(`^u fairball-${role} `, 'm'))
    expect(valuesOf(name, 'LoadCredential')).toEqual([`fairball:/etc/fairball/${role}`])
    expect(valuesOf(name, 'EnvironmentFile')).toEqual(['/etc/fairball/settings.env'])
    const variables = Object.fromEntries(
      valuesOf(name, 'Environment')[0]
        .split(' ')
        .map((one) => one.split('=')),
    )
    expect(variables).toMatchObject({ ROLE: role, ...SERVER_VARIABLES })
    for (const variable of Object.keys(variables))
      expect([...VARIABLE_NAMES, ...Object.keys(SERVER_VARIABLES)]).toContain(variable)
    // Without it no password can be hashed as it should be.
    expect(valuesOf(name, 'SystemCallFilter').at(-1)).toBe('setpriority')
    expect(valuesOf(name, 'ExecStart')[0]).toContain(`${SERVER_OPTIONS.join(' ')} packages/server/src/main/main.ts`)
  }
  for (const name of COMMANDS) {
    const [command] = valuesOf(name, 'ExecStart')[0].replace('/etc/fairball/operator ', '').split(' ')
    expect(Object.keys(OPERATOR_COMMANDS)).toContain(command)
    expect(read(name.replace('.service', '.timer'))).toContain('OnCalendar=')
  }
  // A token or password in a unit is readable to everyone on the computer.
  for (const name of units) expect(read(name)).not.toMatch(/SetCredential|(SECRET|PASSWORD|TOKEN|_URL)=/)
})

it.skipIf(!hasAnalyze)('systemd makes the users of the units', () => {
  const root = mkdtempSync(join(tmpdir(), 'fairball-users-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'etc'))
  const { status, stderr } = spawnSync('systemd-sysusers', [`--root=${root}`, join(FOLDER, 'fairball.sysusers.conf')], {
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  const users = readFileSync(join(root, 'etc/passwd'), 'utf8')
  for (const name of PROGRAMS) expect(users).toMatch(new RegExp(`^${valuesOf(name, 'User')[0]}:`, 'm'))
})

it.skipIf(!hasAnalyze)('systemd finds no fault in the units, and little that they expose', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairball-units-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(FOLDER, folder, { recursive: true })
  const there = units.map((name) => {
    const file = join(folder, name.replace('@.', '@1.'))
    // The programs and folders of this computer in place of those of an installation.
    const text = read(name)
      .replaceAll(/^(ExecStart=)\S+/gm, `$1${process.execPath}`)
      .replaceAll('/opt/fairball', ROOT)
    writeFileSync(file, text)
    return file
  })
  const verified = spawnSync('systemd-analyze', ['verify', ...there], { encoding: 'utf8' })
  const ours = verified.stderr.split('\n').filter((line) => line.includes('fairball'))
  expect([ours, verified.status]).toEqual([[], 0])
  for (const file of there) {
    const most = COMMANDS.some((name) => file.endsWith(name)) ? MAX_EXPOSURE_OF_ROOT : MAX_EXPOSURE
    const args = ['security', '--offline=true', '--no-pager', `--threshold=${most}`, file]
    const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    expect(status, stdout.trim().split('\n').at(-1)).toBe(0)
  }
})
