import { nobleHash } from '@fairball/domain/protocol/hash'
import { fromHex, toHex } from '@fairball/domain/protocol/bytes'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { checkedLog, SECRET_KEY, testLog } from '../../../test/fairness-log.ts'
import { readConfig } from '../../config/config.ts'
import { Refused } from '../../kernel/errors.ts'
import { createSeal } from '../../runtime/seal.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { beginFairness } from '../fairness/service.ts'
import { fairnessCommands } from './fairness-commands.ts'

/** The operator of a database; if `isBegun`, its log has begun, with the head in a file. */
async function operator({ isBegun = true } = {}) {
  const runtime = testRuntime()
  const database = await testDatabase({ runtime })
  const dataDir = await mkdtemp(join(tmpdir(), 'fairball-log-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const { db } = database
  if (isBegun) await beginFairness(await testLog({ db, runtime }))
  const seal = createSeal(SECRET_KEY, runtime.random)
  const config = { ...readConfig({}), dataDir }
  const run = (name: keyof typeof fairnessCommands) => fairnessCommands[name].run({ db, runtime, seal, config })
  return { run, runtime, client: await database.connect() }
}

describe('an operator', () => {
  it('an operator sees the newest statement of the log and the key in force', async () => {
    const { run, client } = await operator()
    const log = await checkedLog(client, 'lottery.example/fairball')
    const last = log.at(-1)
    const lines = (await run('log-head')).split('\n')
    expect(lines).toEqual([
      'log lottery.example/fairball',
      expect.stringMatching(/^key [0-9a-f]{64}$/),
      `index ${log.length - 1}`,
      `hash ${last?.hash}`,
      `time ${last?.statement.time}`,
    ])
  })

  it('an operator puts the key in force that the log has committed to, and commits to another next one', async () => {
    const { run, client } = await operator()
    const [, before = ''] = /\nkey ([0-9a-f]{64})\n/.exec(await run('log-head')) ?? []
    const [, key = '', hash] =
      /^The key is ([0-9a-f]{64}) from now on, by the statement ([0-9a-f]{64})\.$/.exec(await run('change-key')) ?? []
    const log = await checkedLog(client, 'lottery.example/fairball')
    const [begun, changed] = [log.at(0)?.statement, log.at(-1)?.statement]
    expect(begun).toMatchObject({ type: 'log', key: before, next: toHex(nobleHash(fromHex(key))) })
    expect(changed).toMatchObject({ type: 'key', key })
    expect(log.at(-1)?.hash).toBe(hash)
    expect(await run('log-head')).toContain(`\nkey ${key}\n`)
  })

  it('an operator changes no key by a clock that is behind the newest statement', async () => {
    const { run, runtime, client } = await operator()
    runtime.clock.set(runtime.clock.now() - 3600)
    await expect(run('change-key')).rejects.toThrow(
      /^This computer's clock is 3600 seconds behind the newest statement\./,
    )
    const { rows } = await client.query(`select from log_leaves where type = 'key'`)
    expect(rows).toEqual([])
  })

  it.each(['log-head', 'change-key'] as const)('an operator cannot use %s before the first start', async (name) => {
    const { run } = await operator({ isBegun: false })
    await expect(run(name)).rejects.toThrow(
      new Refused('This database has no log yet. It begins with the first start of Fairball.'),
    )
  })
})
