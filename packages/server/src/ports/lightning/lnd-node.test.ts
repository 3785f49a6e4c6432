import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type FakeLnd, startFakeLnd } from '../../../test/fake-lnd/fake-lnd.ts'
import { lightningContract, type NodeUnderTest, sendingContract } from '../../../test/lightning-contract.ts'
import { monotonicTime } from '../../runtime/system-runtime.ts'
import { createLndNode } from './lnd-node.ts'

const START_AT = 1_795_262_400
let now = START_AT
let fake: FakeLnd
let opened: NodeUnderTest

beforeAll(async () => {
  fake = await startFakeLnd(() => now)
  opened = {
    node: createLndNode(fake.server, { monotonic: monotonicTime, now: () => now }),
    payee: {
      invoice: async ({ amountMsat, expirySeconds }) => fake.ledger.askedByPayee(amountMsat, expirySeconds),
      receivedMsat: async (hash) => fake.ledger.receivedMsat(hash),
      hold: async () => fake.ledger.setMode('hold'),
      release: async (how) => fake.ledger.setMode(how),
    },
    pay: async (bolt11, msat) => fake.ledger.payIn(bolt11, msat),
    now: () => now,
    pass: async (seconds) => void (now += seconds),
    habits: { hasNoLabels: true, keepsRefused: true, tooExpensive: 205 },
  }
})
afterAll(async () => {
  expect(fake.problems).toEqual([])
  await fake.stop()
})

describe('an lnd node', () => {
  lightningContract(() => opened)
  sendingContract(() => opened)
})
