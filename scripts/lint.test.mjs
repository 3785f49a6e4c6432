import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Planted sources, by file, and the rule that must refuse each. */
const PLANTED = {
  'packages/server/src/modules/orders/now.ts': ['export const at = () => Date.now()', 'no-restricted-properties'],
  'packages/server/src/modules/orders/random.ts': ['export const x = () => Math.random()', 'no-restricted-properties'],
  'packages/server/src/modules/orders/uuid.ts': [
    'export const x = () => crypto.randomUUID()',
    'no-restricted-properties',
  ],
  'packages/server/src/modules/orders/wait.ts': [
    'export const x = () => setTimeout(() => x(), 5)',
    'no-restricted-globals',
  ],
  'packages/server/src/modules/orders/loop.ts': [
    'export const x = () => setInterval(() => x(), 5)',
    'no-restricted-globals',
  ],
  'packages/server/src/modules/orders/net.ts': [`export const x = () => fetch('https://x')`, 'no-restricted-globals'],
  'packages/server/src/modules/orders/bytes.ts': [
    `import { randomBytes } from 'node:crypto'\nexport const x = () => randomBytes(8)`,
    'no-restricted-imports',
  ],
  'packages/server/src/modules/orders/pause.ts': [
    `import { setTimeout as pause } from 'node:timers/promises'\nexport const x = () => pause(5)`,
    'no-restricted-imports',
  ],
  'packages/web/src/features/play/now.ts': ['export const at = () => Date.now()', 'no-restricted-properties'],
  'packages/web/src/features/play/set-state.tsx': [
    `import { useState } from 'react'\nexport function A() {\n  const [n, setN] = useState(0)\n  setN(n + 1)\n  return <p>{n}</p>\n}`,
    'set-state-in-render',
  ],
  'packages/web/src/features/play/changes.tsx': [
    `import { useState } from 'react'\nexport function A() {\n  const [list] = useState({ n: 1 })\n  list.n = 2\n  return <p>{list.n}</p>\n}`,
    'immutability',
  ],
  'packages/web/src/features/play/impure.tsx': [
    `export function A() {\n  const at = Date.now()\n  return <p>{at}</p>\n}`,
    'purity',
  ],
  'packages/web/src/features/play/hooks.tsx': [
    `import { useState } from 'react'\nexport function A({ on }: { on: boolean }) {\n  if (on) useState(0)\n  return null\n}`,
    'rules-of-hooks',
  ],
  'packages/server/src/modules/orders/floating.ts': [
    `async function pay(): Promise<void> {}\nexport function x(): void {\n  pay()\n}`,
    'no-floating-promises',
  ],
  // Allowed sources:
  'packages/server/src/modules/orders/given.ts': [
    `export const x = (fetch: (a: string) => void) => fetch('https://x')`,
    null,
  ],
  'packages/server/src/runtime/clock.ts': ['export const at = () => Date.now()', null],
  'packages/web/src/shared/runtime.ts': ['export const at = () => Date.now()', null],
  'packages/domain/src/price.test.ts': ['export const at = () => Date.now()', null],
}

describe('the linter', () => {
  let root = ''
  let found = []

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'fairball-lint-'))
    copyFileSync(join(ROOT, '.oxlintrc.json'), join(root, '.oxlintrc.json'))
    const options = {
      strict: true,
      target: 'ES2024',
      module: 'ESNext',
      moduleResolution: 'bundler',
      jsx: 'react-jsx',
      types: [],
    }
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['packages'] }))
    for (const [file, [text]] of Object.entries(PLANTED)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), `${text}\n`)
    }
    const program = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint')
    const PATH = `${join(ROOT, 'node_modules', '.bin')}:${process.env['PATH']}`
    const args = [program, '--type-aware', '--format=json', '.']
    const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env: { ...process.env, PATH } })
    found = JSON.parse(stdout).diagnostics
  }, 60_000)
  afterAll(() => rmSync(root, { recursive: true }))

  it.each(Object.entries(PLANTED).map(([file, [, rule]]) => [file, rule]))('%s is refused by %s', (file, rule) => {
    const rules = found.filter((one) => one.filename.endsWith(file)).map((one) => one.code)
    if (rule === null) expect(rules).toEqual([])
    else expect(rules.join(' ')).toContain(rule)
  })
})
