import { LotteryError } from '@fairball/domain/errors'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../test/seeded-random.ts'
import { Overloaded } from '../../kernel/errors.ts'
import { type TurnCaller, Turns } from './password-turns.ts'
import { Passwords } from './passwords.ts'

const player = (name: string): TurnCaller => ({ name, letsIn: false })
const address = (name: string): TurnCaller => ({ name, letsIn: true })

function refusalOf(error: unknown): string {
  if (error instanceof Overloaded) return 'refused'
  return error instanceof LotteryError && error.code === 'TOO_MANY_REQUESTS' ? 'too many' : 'failed'
}

/** Turns that are all taken until `next` ends the work that has run longest. */
function busyTurns(atOnce = 1) {
  const turns = new Turns(atOnce)
  const done: string[] = []
  const running: (() => void)[] = []
  const outcomes: Promise<string>[] = []
  const tick = () => new Promise<void>((resolve) => setImmediate(resolve))
  function send(caller: TurnCaller, times = 1): void {
    for (let sent = 0; sent < times; sent++) {
      const work = async (): Promise<void> => {
        done.push(caller.name)
        await new Promise<void>((resolve) => running.push(resolve))
      }
      outcomes.push(turns.take(caller, work).then(() => 'done', refusalOf))
    }
  }
  return {
    turns,
    send,
    /** Ends everything. @returns whose work was done in which order, and how many were refused */
    async finish() {
      for (await tick(); running.length > 0; await tick()) running.shift()?.()
      const outcome = await Promise.all(outcomes)
      const count = (of: string): number => outcome.filter((one) => one === of).length
      return { done, refused: count('refused'), tooMany: count('too many') }
    },
  }
}

describe('turns at hashing', () => {
  it.each([1, 2])(
    '%i turns are taken at the same time, 64 more wait, and the next is told to retry',
    async (atOnce) => {
      const { send, finish } = busyTurns(atOnce)
      for (let index = 0; index < 70; index++) send(address(`11.0.0.${index}`))
      const { done, refused } = await finish()
      expect([done.length, refused]).toEqual([64 + atOnce, 6 - atOnce])
    },
  )

  it('turns alternate between the callers, however much each sent first', async () => {
    const { send, finish } = busyTurns()
    send(player('1'), 4)
    send(player('2'), 2)
    send(address('11.0.0.1'))
    expect((await finish()).done).toEqual(['1', '1', '2', '11.0.0.1', '1', '2', '1'])
  })

  it('half of the places are kept for logins and registrations, however many players fill the other', async () => {
    const { send, finish } = busyTurns()
    send(address('11.0.0.0')) // runs
    for (let index = 0; index < 40; index++) send(player(String(index)))
    for (let index = 1; index <= 32; index++) send(address(`11.0.0.${index}`))
    const { done, refused } = await finish()
    expect(refused).toBe(8)
    expect(done.filter((name) => name.startsWith('11.'))).toHaveLength(33)
  })

  it('each caller has four places: an address with more gives them to one with fewer', async () => {
    const { send, finish } = busyTurns()
    send(address('11.0.0.0')) // runs
    send(address('11.0.0.1'), 64) // one address may have all while no other wants them
    send(address('11.0.0.2'), 5)
    send(player('1'), 4)
    const { done, refused } = await finish()
    const count = (name: string) => done.filter((one) => one === name).length
    expect([count('11.0.0.1'), count('11.0.0.2'), count('1'), refused]).toEqual([56, 4, 4, 9])
  })

  it('a player has four places and no fifth, however many are free', async () => {
    const { send, finish } = busyTurns()
    send(player('1'), 7)
    const { done, refused, tooMany } = await finish()
    expect([done.length, refused, tooMany]).toEqual([5, 0, 2])
  })

  it('places of an address go to a player only within the half of the players', async () => {
    const { send, finish } = busyTurns()
    send(address('11.0.0.0')) // runs
    send(address('11.0.0.1'), 20)
    for (let index = 0; index < 8; index++) send(player(String(index)), 4)
    send(player('9'))
    const { done, refused } = await finish()
    expect([done.filter((name) => name === '11.0.0.1').length, refused]).toEqual([20, 1])
  })

  it('turns still exist after work that fails', async () => {
    const { turns, send, finish } = busyTurns()
    await expect(turns.take(player('1'), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    send(player('1'))
    expect((await finish()).done).toEqual(['1'])
  })
})

it('nothing is hashed for a caller that no counter has admitted', async () => {
  const passwords = new Passwords(seededRandom('uncounted'), new Uint8Array(32))
  // @ts-expect-error a subject alone is no counter: only kernel/limits.ts makes a Counted
  await expect(passwords.hashOf('11.0.0.1', 'password')).rejects.toThrow()
})
