import { TestOperator } from '@fairball/domain/protocol/operator-fixture'
import { expect, it, vi } from 'vitest'
import type { Api } from '../shared/api.ts'
import { fileServer, filesOf, hintOf } from '../testing/served-operator.ts'
import { proveDraw } from './draw-proof.ts'
import type { KeptStore } from './kept-store.ts'

vi.mock('./verifier.ts', () => ({ prepareVerifier: () => undefined }))

it('papers that cannot be fetched while the record is on its way end the check, and nothing is reported beside it', async () => {
  const operator = new TestOperator()
  const draw = operator.openDraw()
  operator.closeDraw(draw)
  await operator.seal(draw)
  operator.settle(draw)
  const serve = fileServer(() => filesOf(operator))
  const soon = () => new Promise((over) => setTimeout(over))
  const parts = {
    api: {
      async call(name: string) {
        if (name === 'getFairnessDraw') return hintOf(operator, 1)
        throw new Error('too many requests')
      },
    } as unknown as Api,
    runtime: {
      fetch: async (...of: Parameters<typeof serve>) => await soon().then(() => serve(...of)),
      randomBytes: (count: number) => new Uint8Array(count),
    },
    store: { get: async () => null, all: async () => [] } as unknown as KeptStore,
    sightAt: () => 0,
  }
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  await expect(proveDraw(parts, { game: 'bitcoin-hero', draw: 1, player: 'ada' })).rejects.toThrow('too many requests')
  await soon()
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})
