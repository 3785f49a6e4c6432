import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VECTORS } from './cli-fixture.ts'

/** Builds the packages for outsiders, and installs each as its README begins, without a network. */
const ROOT = join(import.meta.dirname, '../../..')
const PYTHON = process.env['PYTHON']
const NODE = process.env['NODE_20'] ?? process.execPath
const folder = mkdtempSync(join(tmpdir(), 'fairball-packages-'))
const { buildPackages } = createRequire(import.meta.url)('../../../scripts/packages.cjs') as {
  buildPackages(folder: string, python: string | undefined): string[]
}
let built: string[] = []

/** The command that a README begins with, in its two halves: the installation, and the first use. */
function firstCommand(readme: string): readonly [string, string] {
  const [, command = ''] = /^# .+\n\n```sh\n(.+)\n```\n/.exec(readFileSync(join(ROOT, readme), 'utf8')) ?? []
  const [install = '', use = ''] = command.split(' && ')
  return [install, use]
}

/** Runs a line in a shell whose packages go to `folder`, with a Node and a Python that have none. */
function shell(line: string, cwd = folder): { status: number | null; stdout: string; stderr: string } {
  const path = [join(folder, 'bin'), join(folder, 'python', 'bin'), join(folder, 'node'), '/usr/bin', '/bin'].join(':')
  const env = {
    PATH: path,
    HOME: folder,
    npm_config_prefix: folder,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    PIP_PYTHON: join(folder, 'python', 'bin', 'python3'),
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_ROOT_USER_ACTION: 'ignore',
  }
  return spawnSync('sh', ['-c', line], { cwd, env, encoding: 'utf8' })
}

beforeAll(() => {
  mkdirSync(join(folder, 'node'))
  symlinkSync(NODE, join(folder, 'node', 'node'))
  const places = [dirname(NODE), ...(process.env['PATH'] ?? '').split(':')]
  const npm = places.map((place) => join(place, 'npm')).find((file) => existsSync(file))
  symlinkSync(npm ?? '', join(folder, 'node', 'npm'))
  built = buildPackages(folder, PYTHON)
  copyFileSync(join(VECTORS, 'bundle-honest.json'), join(folder, 'draw.bundle.json'))
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the packages for npm', () => {
  it('fairball-verify installs by the command that its README begins with, and judges a bundle', () => {
    const [install, use] = firstCommand('packages/verifier/README.md')
    expect(built.some((file) => install.endsWith(` ./${file}`))).toBe(true)
    expect(shell(install)).toMatchObject({ status: 0, stderr: '' })
    expect(readdirSync(join(folder, 'lib', 'node_modules', 'fairball-verify')).toSorted()).toEqual(
      ['LICENSE', 'README.md', 'dist', 'package.json'], // and no package beside it
    )
    expect(shell(use)).toMatchObject({ status: 3, stderr: '', stdout: expect.stringMatching(/holds/i) })
  })

  it('fairball-witness installs by the command that its README begins with, and makes a key', () => {
    const [install, use] = firstCommand('packages/witness/README.md')
    expect(shell(install)).toMatchObject({ status: 0, stderr: '' })
    const key = shell(use.replace(/ serve /, ' key ').replace(/ --logs \S+/, ''))
    expect(key).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^witness\.example\/alice\+/) })
  })

  it('each package names the licences of all that it contains', () => {
    for (const name of ['fairball-verify', 'fairball-witness']) {
      const text = readFileSync(join(folder, 'lib', 'node_modules', name, 'LICENSE'), 'utf8')
      expect(text).toMatch(/Apache License\n\s+Version 2\.0/)
      for (const contained of ['@noble/curves', '@noble/hashes', '@scure/base']) expect(text).toContain(contained)
    }
  })
})

// Without Python, or pip, `npm test` reports that these are skipped.
const hasPip = PYTHON !== undefined && spawnSync(PYTHON, ['-m', 'pip', '--version']).status === 0
describe.runIf(hasPip)('the wheel for Python', () => {
  beforeAll(() => {
    spawnSync(PYTHON ?? '', ['-m', 'venv', '--without-pip', join(folder, 'python')])
    const [wheel = ''] = built.filter((file) => file.endsWith('.whl'))
    const again = join(folder, 'again')
    mkdirSync(again)
    spawnSync(PYTHON ?? '', ['-B', join(ROOT, 'packages/verifier/python/build_wheel.py'), again])
    expect(readFileSync(join(again, wheel)).equals(readFileSync(join(folder, wheel)))).toBe(true)
  })

  it('the wheel installs by the command that its README begins with, judges a bundle, and leaves as it came', () => {
    const [install, use] = firstCommand('packages/verifier/python/README.md')
    const pip = install.replace(/^python3/, PYTHON ?? '')
    expect(shell(pip)).toMatchObject({ status: 0 })
    const command = join(folder, 'python', 'bin', 'fairball-verify')
    expect(shell(use.replace(/^fairball-verify/, command))).toMatchObject({
      status: 3,
      stderr: '',
      stdout: expect.stringMatching(/holds/i),
    })
    expect(shell(`${PYTHON} -m pip uninstall --yes fairball-verify`)).toMatchObject({ status: 0 })
    expect(readdirSync(join(folder, 'python', 'bin'))).not.toContain('fairball-verify')
  })
})
