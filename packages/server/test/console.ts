import type { InjectOptions } from 'fastify'
import type { Role } from '@fairball/contract/console/roles'
import type { Db } from '../src/db/pool.ts'
import { createHttpApp } from '../src/http/app.ts'
import { JobQueue } from '../src/jobs/queue.ts'
import { type CarryOutContext, relyingAt } from '../src/modules/console/context.ts'
import { countedFailures } from '../src/modules/console/failures.ts'
import { beginCarryingOut, consoleJobs } from '../src/modules/console/jobs.ts'
import { demoInvite } from '../src/modules/console/people.ts'
import { ApiKeys } from '../src/modules/integrations/service.ts'
import { consoleRoutes } from '../src/modules/console/routes.ts'
import { messageJobs } from '../src/modules/messages/jobs.ts'
import type { MessagesContext } from '../src/modules/messages/service.ts'
import { localOutbox } from '../src/ports/mail/local-outbox.ts'
import { createSeal } from '../src/runtime/seal.ts'
import type { MonotonicTime } from '../src/runtime/runtime.ts'
import type { TestRuntime } from '../src/runtime/test-runtime.ts'
import { type Answer, CONFIG } from './application.ts'
import { TestPasskey } from './authenticator.ts'
import { factsTold } from './facts.ts'

/** The console's origin in tests. */
export const CONSOLE_ORIGIN = 'http://localhost:3001'

/** A person of the staff with passkeys, signed in. */
export interface TestStaff {
  readonly id: string
  readonly name: string
  readonly keys: readonly TestPasskey[]
  /** of the newest session */
  readonly cookie: string
  call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer>
  /** Begins another session. */
  signIn(): Promise<void>
  /** Makes a request and signs it, with another passkey than the first if so told. @returns the last answer */
  propose(kind: string, args: unknown, reason?: string): Promise<Answer & { readonly id: string }>
  /** Gives the second signature. */
  approve(id: string, key?: TestPasskey): Promise<Answer>
}

export type TestConsole = Awaited<ReturnType<typeof testConsole>>

type Parts = Pick<CarryOutContext, 'log' | 'settings' | 'operatorAddress' | 'examine' | 'webhooks'>

/** A worker of which no kind asks for more than the database. */
const NO_PARTS = { operatorAddress: null, settings: CONFIG, examine: async () => [] } as unknown as Parts

/** Nothing is done about players: the whole program does that, in its own tests. */
const NO_ACCOUNTS = {} as CarryOutContext['accounts']

/** A time in which every wait is over. */
let hurriedMs = 0

/** The console's API and a worker on a database, with people who have passkeys. */
export async function testConsole(options: {
  readonly db: Db
  readonly runtime: TestRuntime
  /** the database as the console's login has it; default: the owner's */
  readonly consoleDb?: Db
  /** what kinds need that go beyond the database; default: nothing of it */
  readonly parts?: Parts
  /** the number of the newest migration that the console knows; default: as new as any database */
  readonly schema?: number
  /** who is told of what is done; default: nobody */
  readonly facts?: CarryOutContext['facts']
}) {
  const { db, runtime } = options
  let isWorking = true
  const relying = relyingAt(CONSOLE_ORIGIN)
  const consoleDb = options.consoleDb ?? db
  const http = createHttpApp({
    runtime,
    authenticate: async () => null,
    isDemo: true,
    publicUrl: CONSOLE_ORIGIN,
    checksAnswers: true,
  })
  const failures = countedFailures(runtime.clock)
  const monotonic: MonotonicTime = {
    nowMs: () => (isWorking ? runtime.monotonic.nowMs() : (hurriedMs += 60_000)),
    sleep: (ms, signal) => runtime.monotonic.sleep(ms, signal),
  }
  consoleRoutes(http, {
    db: consoleDb,
    keys: new ApiKeys({ db: consoleDb, runtime }),
    runtime: { ...runtime, monotonic },
    relying,
    publicUrl: 'http://localhost:3000',
    siteName: async () => 'Fairball',
    schema: options.schema ?? Number.MAX_SAFE_INTEGER,
    failures,
  })

  const queue = new JobQueue({ db, runtime })
  const site = { name: 'Fairball', publicUrl: 'http://localhost:3000', supportEmail: null }
  const seal = createSeal(new Uint8Array(32), runtime.random)
  const messages: MessagesContext = {
    db,
    runtime,
    jobs: queue,
    facts: factsTold({}),
    mailer: localOutbox(),
    paintBalls: async () => new Uint8Array(),
    site: () => site,
    seal,
    approvalSats: () => null,
    lightningMaxSats: () => null,
  }
  const ctx: CarryOutContext = {
    db,
    runtime,
    jobs: queue,
    relying,
    mail: messages,
    mailWay: 'a server',
    facts: options.facts ?? messages.facts,
    accounts: NO_ACCOUNTS,
    checkInvariants: async () => undefined,
    ...(options.parts ?? NO_PARTS),
  }
  const handlers = [...consoleJobs(ctx), ...messageJobs(messages)]

  async function call(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    cookie = '',
    more: Record<string, string> = {},
  ): Promise<Answer> {
    const { statusCode, headers, payload } = await http.inject({
      method,
      url: `/console/api/v1${path}`,
      headers: { host: 'localhost:3001', origin: CONSOLE_ORIGIN, cookie, ...more },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    return { status: statusCode, headers, body: payload === '' ? null : JSON.parse(payload) }
  }

  /** Registers passkeys with the token of a link. */
  async function register(token: string, keys: readonly TestPasskey[]): Promise<Answer[]> {
    const path = `/invites/${token}`
    const answers: Answer[] = []
    for (const key of keys) {
      const { body } = await call('POST', `${path}/options`)
      const response = key.register(body.options, CONSOLE_ORIGIN)
      answers.push(await call('POST', path, { response, label: 'Key' }))
    }
    return answers
  }

  async function signIn(key: TestPasskey): Promise<Answer> {
    const { body } = await call('POST', '/auth/options')
    return await call('POST', '/auth/sign-in', { response: key.sign(body.options, CONSOLE_ORIGIN) })
  }

  /** Somebody with passkeys that are registered, who signs in with the first. */
  function staff(keys: readonly TestPasskey[]): TestStaff {
    const [first] = keys
    if (first === undefined) throw new Error('a person has a passkey')
    let cookie = ''
    let who = { id: '', name: '' }
    const own: TestStaff['call'] = (method, path, sent) => call(method, path, sent, cookie)
    return {
      get id() {
        return who.id
      },
      get name() {
        return who.name
      },
      keys,
      get cookie() {
        return cookie
      },
      call: own,
      async signIn() {
        const { headers, body } = await signIn(first)
        cookie = String(headers['set-cookie']).split(';')[0] ?? ''
        who = body.staff
      },
      async propose(kind, args, reason = 'Checked by telephone.') {
        const made = await own('POST', '/requests', { kind, args, reason })
        if (made.status !== 201) return { ...made, id: '' }
        const id = made.body.id as string
        if (made.body.options === undefined) return { ...made, id }
        const response = first.sign(made.body.options, CONSOLE_ORIGIN)
        return { ...(await own('POST', `/requests/${id}/sign`, { response })), id }
      },
      async approve(id, key = first) {
        const asked = await own('POST', `/requests/${id}/options`)
        if (asked.status !== 200) return asked
        return await own('POST', `/requests/${id}/approve`, { response: key.sign(asked.body.options, CONSOLE_ORIGIN) })
      },
    }
  }

  /** Somebody with two new passkeys, signed in. */
  async function person(name: string, roles: readonly Role[]): Promise<TestStaff> {
    const email = `${name}@lottery.example`
    const link = await db.transaction((tx) => demoInvite(ctx, tx, { name, email, roles }))
    const one = staff([new TestPasskey(), new TestPasskey()])
    await register(link.split('/').at(-1) ?? '', one.keys)
    await one.signIn()
    return one
  }

  return {
    ctx,
    /** Sends a request as it is. */
    inject: (options: InjectOptions) => http.inject(options),
    call,
    register,
    signIn,
    staff,
    person,
    /** Reads as a program with an API key. */
    program:
      (key: string) =>
      (path: string): Promise<Answer> =>
        call('GET', path, undefined, '', { authorization: `Bearer ${key}` }),
    queue,
    /** Begins to carry out, as a worker does. */
    async begin(): Promise<void> {
      queue.register(handlers)
      await beginCarryingOut(ctx)
      queue.start()
    },
    /** Ends the worker: nobody carries out any more, and no caller waits for it. */
    async stopWorking(): Promise<void> {
      await queue.stop()
      isWorking = false
    },
    /** Callers wait again: for another worker on the same database. */
    beginWaiting(): void {
      isWorking = true
    },
    async end(): Promise<void> {
      await queue.stop()
      await http.close()
    },
  }
}
