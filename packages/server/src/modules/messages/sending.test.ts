import { describe, expect, it } from 'vitest'
import { notingDb } from '../../../test/asked-statements.ts'
import { testDatabase } from '../../../test/database.ts'
import { factsTold } from '../../../test/facts.ts'
import { fatesOf } from '../../../test/fates.ts'
import type { Db } from '../../db/pool.ts'
import { JobQueue } from '../../jobs/queue.ts'
import { MailNotTaken, MailRefused } from '../../ports/mail/mailer.ts'
import { createSeal } from '../../runtime/seal.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import type { MessagesContext } from './context.ts'
import { messageJobs } from './jobs.ts'
import { enqueueMail } from './service.ts'

/** As many as a lane leases together. */
const MAILS = 16
const UNDER_WAY_AT_ONCE = 4

/** Mails that wait, and a server that notes what it takes; each worker is a process of its own. */
async function waitingMails(mails: number) {
  const runtime = testRuntime()
  const database = await testDatabase({ runtime })
  const client = await database.connect()
  const rows = async <R extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await client.query<R>(text, values)).rows
  await rows(fatesOf('update of sent_at on mail_outbox', 'id'))
  const seal = createSeal(new Uint8Array(32), runtime.random)
  const server = { taken: [] as string[], meet: async (_id: string): Promise<void> => undefined }

  /** @param options.db its database; default: one that never fails */
  const worker = ({ db = database.db, meet = (id: string) => server.meet(id) } = {}) => {
    const queue = new JobQueue({ db, runtime })
    const messages: MessagesContext = {
      db,
      runtime,
      jobs: queue,
      seal,
      facts: factsTold(),
      mailer: {
        isOutboxKept: false,
        async send({ id }) {
          await meet(String(id))
          server.taken.push(String(id))
        },
        close: () => undefined,
      },
      site: () => ({ name: 'Fairball', publicUrl: 'https://lottery.example', supportEmail: null }),
      approvalSats: () => null,
      lightningMaxSats: () => null,
      paintBalls: async () => new Uint8Array(),
    }
    queue.register(messageJobs(messages))
    return Object.assign(queue, { messages })
  }
  const { messages } = worker()
  await database.db.transaction(async (tx) => {
    for (let number = 1; number <= mails; number += 1) {
      const mail = { to: `${number}@example.org`, playerId: null, category: 'payment', subject: 's' } as const
      await enqueueMail(messages, tx, { ...mail, paragraphs: ['p'], key: `mail ${number}` })
    }
  })
  const ids = (await rows<{ id: string }>('select id::text from mail_outbox order by mail_outbox.id')).map(
    ({ id }) => id,
  )
  return {
    db: database.db,
    runtime,
    rows,
    ids,
    server,
    worker,
    /** Has a mail meet its fate once it has left. */
    meets: (id: string | undefined, fate: string) => rows('insert into fates values ($1, $2)', [id, fate]),
    unsent: async () =>
      (
        await rows<{ id: string }>('select id::text from mail_outbox where sent_at is null order by mail_outbox.id')
      ).map(({ id }) => id),
    jobs: () => rows<{ attempts: number; at: number }>('select attempts, run_at::int as at from jobs order by id'),
    /** Moves the clock until no mail waits. */
    async untilAllLeft(): Promise<void> {
      await expect
        .poll(async () => {
          await runtime.clock.advance(1)
          return (await rows('select from jobs')).length
        })
        .toBe(0)
    },
  }
}

/** Ids that a server took more than once. */
const twice = (taken: readonly string[]): string[] => [
  ...new Set(taken.filter((id, place) => taken.indexOf(id) !== place)),
]

/** A database of a process that dies when it wants to note something. */
const dyingDb = (db: Db): Db => ({ ...db, transaction: () => new Promise(() => undefined) })

describe('mails that wait together', () => {
  it('leave in their order, and are noted four by four', async () => {
    const { db, ids, server, worker, untilAllLeft } = await waitingMails(MAILS)
    const noting = notingDb(db)
    const queue = worker({ db: noting.db })
    queue.start()
    await untilAllLeft()
    await queue.stop()
    const asked = noting.take().flat()
    const times = (name: string): number => asked.filter((one) => one === name).length
    expect(server.taken).toEqual(ids)
    expect(times('messages.mark-mail-sent')).toBe(MAILS / UNDER_WAY_AT_ONCE)
    expect(times('jobs.remove-leased')).toBe(MAILS / UNDER_WAY_AT_ONCE)
  })

  it('leave without the one that is refused and the one that the server has no time for, each of them once', async () => {
    const { ids, server, worker, rows, unsent, untilAllLeft } = await waitingMails(MAILS)
    const [refused, busy] = [ids[1], ids[5]]
    let isBusy = true
    server.meet = async (id) => {
      if (id === refused) throw new MailRefused('no such mailbox', true)
      if (id === busy && isBusy) throw new MailNotTaken('busy')
    }
    const queue = worker()
    queue.start()
    await expect.poll(() => rows('select from jobs')).toHaveLength(1)
    expect(await unsent()).toEqual([refused, busy])
    isBusy = false
    await untilAllLeft()
    await queue.stop()
    expect(await unsent()).toEqual([refused])
    expect(server.taken.toSorted()).toEqual(ids.filter((id) => id !== refused).toSorted())
  })

  it('are noted without the one that the database refuses, which alone leaves again', async () => {
    const { ids, server, worker, rows, meets, unsent, untilAllLeft } = await waitingMails(MAILS)
    await meets(ids[2], 'refused')
    const queue = worker()
    queue.start()
    await expect.poll(unsent).toEqual([ids[2]])
    await rows('delete from fates')
    await untilAllLeft()
    await queue.stop()
    expect(await unsent()).toEqual([])
    expect(twice(server.taken)).toEqual([ids[2]])
  })

  it('do not leave again if the connection is lost over which they were to be noted', async () => {
    const { ids, server, worker, meets, unsent, untilAllLeft } = await waitingMails(MAILS)
    await meets(ids[2], 'dies')
    const queue = worker()
    queue.start()
    await untilAllLeft()
    await queue.stop()
    expect(await unsent()).toEqual([])
    expect(server.taken.toSorted()).toEqual(ids.toSorted())
  })

  it('come twice only if they were under way when their process died, and these are four at most', async () => {
    const { db, ids, runtime, server, worker, unsent, untilAllLeft } = await waitingMails(MAILS)
    worker({ db: dyingDb(db) }).start()
    await expect.poll(() => server.taken).toEqual(ids.slice(0, UNDER_WAY_AT_ONCE))
    runtime.clock.set(runtime.clock.now() + 61)
    const other = worker()
    other.start()
    await untilAllLeft()
    await other.stop()
    expect(await unsent()).toEqual([])
    expect(twice(server.taken)).toEqual(ids.slice(0, UNDER_WAY_AT_ONCE))
    expect(server.taken).toHaveLength(MAILS + UNDER_WAY_AT_ONCE)
  })

  it('come once each from two workers', async () => {
    const { ids, server, worker, unsent, untilAllLeft } = await waitingMails(3 * MAILS)
    const both = [worker(), worker()]
    for (const queue of both) queue.start()
    await untilAllLeft()
    for (const queue of both) await queue.stop()
    expect(await unsent()).toEqual([])
    expect(server.taken.toSorted()).toEqual(ids.toSorted())
  })

  it('are left to other workers as they were if their process ends, without those under way', async () => {
    const { ids, runtime, server, worker, jobs, untilAllLeft } = await waitingMails(MAILS)
    const released = Promise.withResolvers<void>()
    let left = 0
    const ending = worker({ meet: () => ((left += 1), released.promise) })
    const due = await jobs()
    ending.start()
    await expect.poll(() => left).toBe(UNDER_WAY_AT_ONCE)
    const stopped = ending.stop()
    released.resolve()
    await stopped
    expect(server.taken).toEqual(ids.slice(0, UNDER_WAY_AT_ONCE))
    expect(await jobs()).toEqual(due.slice(UNDER_WAY_AT_ONCE))
    expect(runtime.logged.filter(({ level }) => level === 'error')).toEqual([])
    const other = worker()
    other.start()
    await untilAllLeft()
    await other.stop()
    expect(server.taken.toSorted()).toEqual(ids.toSorted())
  })

  it('do not leave from a worker whose lease ran out while their server was slow', async () => {
    const { ids, runtime, server, worker, untilAllLeft } = await waitingMails(MAILS)
    const released = Promise.withResolvers<void>()
    let left = 0
    const slow = worker({ meet: () => ((left += 1), released.promise) })
    slow.start()
    await expect.poll(() => left).toBe(UNDER_WAY_AT_ONCE)
    runtime.clock.set(runtime.clock.now() + 61)
    const other = worker()
    other.start()
    await untilAllLeft()
    released.resolve()
    await slow.stop()
    await other.stop()
    expect(left).toBe(UNDER_WAY_AT_ONCE)
    expect(twice(server.taken)).toEqual(ids.slice(0, UNDER_WAY_AT_ONCE))
  })
})
