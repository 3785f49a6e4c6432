import { soldDraw } from '@fairball/domain/protocol/read-log-fixture'
import { describe, expect, it } from 'vitest'
import { checkpointOf, checkpointWith, cosignedTime, requestOf, treeHash } from './c2sp-fixture.ts'
import { alarmKinds, askAgain, FOLDER, LOG_KEY, ServedLog, startWitness } from './served-log-fixture.ts'
import { Crash, MemoryFiles } from './world-fixture.ts'

/** The power fails before, during and after every write of a witness. */

/** A log with two heads, both served. */
function twoHeads() {
  const log = new ServedLog(soldDraw().operator)
  const first = log.leaves
  log.publish()
  soldDraw(log.operator)
  log.publish()
  return { log, first, second: log.leaves }
}

/** A witness cosigns two heads, and may crash at any write. @returns the sizes answered with a cosignature */
async function run(log: ServedLog, heads: readonly (readonly string[])[], files: MemoryFiles): Promise<number[]> {
  const answered: number[] = []
  try {
    const { world, verifierKey, stop, ended } = await startWitness(log, { files })
    ended.catch(() => undefined) // the request rejects with the same crash
    let old = 0
    for (const leaves of heads) {
      const { status, body } = await world.post(log.request(old, leaves))
      expect(status).toBe(200)
      expect(cosignedTime(body.trimEnd(), verifierKey, checkpointOf(leaves, LOG_KEY))).not.toBeNull()
      old = leaves.length
      answered.push(old)
    }
    await stop()
  } catch (error) {
    if (!(error instanceof Crash)) throw error
  }
  return answered
}

describe('a crash', () => {
  it('after a crash at any write no cosigned head is lost, and no fork of it is cosigned', async () => {
    const { log, first, second } = twoHeads()
    const whole = new MemoryFiles()
    expect(await run(log, [first, second], whole)).toEqual([first.length, second.length])
    expect(whole.writes).toBeGreaterThan(5)
    for (let crashAt = 1; crashAt <= whole.writes; crashAt += 1) {
      for (const part of [0, 0.5, 1]) {
        const files = new MemoryFiles()
        Object.assign(files, { crashAt, part })
        const answered = await run(log, [first, second], files)
        files.crashAt = Number.POSITIVE_INFINITY
        const again = await startWitness(log, { files })
        const { body } = await again.world.post(log.request(second.length, second))
        // Every answered head is kept; a kept head may not have been answered.
        expect(Number(body), `write ${crashAt}, ${part} of it`).not.toBeLessThan(answered.at(-1) ?? 0)
        for (const size of answered) {
          const fork = checkpointWith({ size, root: treeHash(['another']) }, LOG_KEY)
          expect((await again.world.post(requestOf(size, [], fork))).status).not.toBe(200)
        }
        await again.stop()
      }
    }
  }, 60_000)

  it('after a crash at any write the witness can continue with its folder', async () => {
    const { log, first, second } = twoHeads()
    const whole = new MemoryFiles()
    await run(log, [first, second], whole)
    for (let crashAt = 1; crashAt <= whole.writes; crashAt += 1) {
      const files = new MemoryFiles()
      Object.assign(files, { crashAt, part: crashAt % 2 === 0 ? 0.5 : 0 })
      await run(log, [first, second], files)
      files.crashAt = Number.POSITIVE_INFINITY
      const again = await startWitness(log, { files })
      expect(await askAgain(log, again), `write ${crashAt}`).toMatchObject({ status: 200 })
      expect(files.rows(`${FOLDER}/statements.jsonl`).map(({ leaf }) => leaf)).toEqual(second)
      expect(alarmKinds(again.world)).toEqual([])
      await again.stop()
    }
  }, 60_000)

  it('after a crash between keeping and answering a request gets a 409 with the kept size', async () => {
    const { log, second } = twoHeads()
    const files = new MemoryFiles()
    const { world, ended } = await startWitness(log, { files })
    // The log was read at the start, so the request's only write keeps the cosigned head.
    Object.assign(files, { crashAt: files.writes + 1, part: 1 })
    const ends = expect(ended).rejects.toThrow(Crash)
    await expect(world.post(log.request(0, second))).rejects.toThrow(Crash)
    await ends
    files.crashAt = Number.POSITIVE_INFINITY
    const again = await startWitness(log, { files })
    expect(await again.world.post(log.request(0, second))).toMatchObject({ status: 409, body: `${second.length}\n` })
    expect(await again.world.post(log.request(second.length, second))).toMatchObject({ status: 200 })
  })

  it('a crash while an alarm of a fork is raised does not lose the alarm', async () => {
    const { log, first } = twoHeads()
    const fork = requestOf(0, [], checkpointWith({ size: first.length, root: treeHash(['another']) }, LOG_KEY))
    for (const part of [0, 0.5, 1]) {
      for (const ahead of [1, 2, 3]) {
        const files = new MemoryFiles()
        const { world, ended } = await startWitness(log, { files })
        ended.catch(() => undefined)
        await world.post(log.request(0, first))
        Object.assign(files, { crashAt: files.writes + ahead, part })
        await expect(world.post(fork)).rejects.toThrow(Crash)
        files.crashAt = Number.POSITIVE_INFINITY
        const again = await startWitness(log, { files })
        await again.world.post(fork)
        expect(alarmKinds(again.world), `write ${ahead}, ${part} of it`).toEqual(['fork'])
        expect(await again.world.post(log.request(first.length))).toMatchObject({ status: 403 })
      }
    }
  })
})
