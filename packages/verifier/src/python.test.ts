import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { expect, it } from 'vitest'

const PYTHON = process.env['PYTHON']

// Where there is no Python, `npm test` says that this is left out.
it.runIf(PYTHON !== undefined).each(['python', 'python-v2'])(
  'the second implementation, in %s, passes its own tests, among them all example bundles',
  (folder) => {
    const { status, stderr } = spawnSync(PYTHON ?? '', ['-B', '-m', 'unittest', 'discover'], {
      cwd: join(import.meta.dirname, '..', folder),
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/\nRan [1-9]\d+ tests in .*\n\nOK\n$/)
    expect(status).toBe(0)
  },
  300_000,
)
