import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const PORTS = join(ROOT, 'packages/server/src/ports')
/**
 * A request to the node by its method: `node.call<Answer>('getblockcount')`, `callWallet(node, 'getwalletinfo', …)`.
 */
const QUESTION = /\b(?:call|callNow|callOrNull|callOpen|callWallet)(?:<[^(]*?>)?\(\s*(?:[\w.]+,\s*)?'([a-z]+)'/g

/** Every method of the node that the program calls. */
function askedMethods() {
  const files = ['bitcoin-node', 'payment-provider', 'wallet'].flatMap((port) =>
    readdirSync(join(PORTS, port))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => join(PORTS, port, file)),
  )
  const asked = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(QUESTION)].map(([, method]) => method))
  return [...new Set(asked)].toSorted()
}

it('the node’s user may call exactly the methods that the program calls', () => {
  const guide = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
  const [, listed = ''] = /^rpcwhitelist=fairball:(\S+)$/m.exec(guide) ?? []
  const asked = askedMethods()
  expect(asked).toContain('sendrawtransaction')
  expect(asked).toContain('listreceivedbyaddress')
  expect(listed.split(',').toSorted()).toEqual(asked)
})
