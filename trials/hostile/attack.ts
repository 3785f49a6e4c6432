import { casesOf, type HostileCase } from './cases.ts'
import { endpointsOf, type Endpoint, LOG_FILES } from './endpoints.ts'
import { judge, LONGEST_MS } from './judge.ts'
import { SchemaValues } from './schema-values.ts'
import { bytesOf, NoAnswer, Wire, type WireAnswer, type WireRequest } from './wire.ts'
import { createWorld, type World } from './world.ts'

/** The scope of an attack. */
interface AttackOptions {
  /** A migrated, empty database. */
  readonly databaseUrl: string
  readonly seed: number
  /** Cases per endpoint. */
  readonly cases: number
  /** Selects endpoints. Default: every one in the document. */
  readonly only?: (endpoint: Endpoint) => boolean
  /** Runs only this case, and shows its request and answer. */
  readonly index?: number
  readonly say?: (line: string) => void
}

/** The result of an attack. */
interface AttackResult {
  readonly endpoints: number
  readonly cases: number
  readonly seconds: number
  readonly slowest: { readonly ms: number; readonly what: string }
  /** Number of answers by status. */
  readonly statuses: ReadonlyMap<number, number>
  /** Good answers by endpoint. An endpoint without a good answer was not really tested. */
  readonly good: ReadonlyMap<string, number>
  /** What was wrong, each with everything needed to repeat it. */
  readonly failures: readonly string[]
}

/**
 * Parallel requests: enough to keep the program and its database busy, but fewer than may queue for password hashing.
 */
const AT_ONCE = 8
/** After this many cases the attack checks whether the player is still logged in, and whether a limit was reached. */
const ROUND = 100
/** Further failures of one endpoint show nothing new. */
const MAX_FAILURES = 5
/** A single slow answer may be due to a busy computer; it counts as slow only if every try is slow. */
const SLOW_TRIES = 3
/**
 * These end the session or lock the player out. They come last, so that the others meet a player who owns something.
 */
const ENDS_THE_PLAYER = [
  'logout',
  'revokeSessions',
  'changePassword',
  'closeAccount',
  'saveResponsiblePlay',
  'moveClock',
]

/**
 * Attacks the program on a fresh database with cases derived from the seed. It judges each answer, then the invariants.
 */
export async function attack(options: AttackOptions): Promise<AttackResult> {
  const { say = () => undefined, seed } = options
  const world = await createWorld(options.databaseUrl)
  const startedMs = performance.now()
  const wires = Array.from({ length: AT_ONCE }, () => new Wire(world.port))
  const failures: string[] = []
  const statuses = new Map<number, number>()
  const good = new Map<string, number>()
  let slowest = { ms: 0, what: '' }
  let cases = 0
  try {
    const endpoints = inOrder([...endpointsOf(world.document), LOG_FILES].filter(options.only ?? (() => true)))
    const values = new SchemaValues(world.document.components.schemas, world.known)
    for (const endpoint of endpoints) {
      const all = casesOf(endpoint, values, seed, options.cases)
      const chosen = options.index === undefined ? all : all.slice(options.index, options.index + 1)
      const failed: string[] = []
      let endpointSlowestMs = 0
      const endpointStartedMs = performance.now()
      for (let from = 0; from < chosen.length && failed.length < MAX_FAILURES; from += ROUND) {
        const round = await attackWith(world, wires, chosen.slice(from, from + ROUND))
        for (const { one, request, answer, wrong } of round) {
          cases += 1
          const ms = answer?.ms ?? 0
          if (ms > slowest.ms) slowest = { ms, what: `${endpoint.name} #${one.index}` }
          endpointSlowestMs = Math.max(endpointSlowestMs, ms)
          if (answer !== null) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          if (answer !== null && answer.status < 300 && !one.isAstray)
            good.set(endpoint.name, (good.get(endpoint.name) ?? 0) + 1)
          if (wrong.length > 0 && failed.length < MAX_FAILURES)
            failed.push(describeTried(seed, one, request, answer, wrong))
          if (options.index !== undefined) say(describeTried(seed, one, request, answer, wrong))
        }
        await recover(world, round)
      }
      failures.push(...failed)
      const seconds = (performance.now() - endpointStartedMs) / 1000
      say(
        `${endpoint.name}: ${chosen.length} cases, ${good.get(endpoint.name) ?? 0} good, ${seconds.toFixed(1)} s, slowest ${endpointSlowestMs.toFixed(0)} ms${failed.length > 0 ? `, ${failed.length} FAILED` : ''}`,
      )
    }
    for (const fault of world.faults().slice(0, MAX_FAILURES))
      failures.push(`the program logged an internal fault: ${JSON.stringify(fault).slice(0, 2000)}`)
    failures.push(...(await world.violations()).map((what) => `an invariant is broken: ${what}`))
    const seconds = (performance.now() - startedMs) / 1000
    return { endpoints: endpoints.length, cases, seconds, slowest, statuses, good, failures }
  } finally {
    for (const wire of wires) wire.close()
    await world.close()
  }
}

function inOrder(endpoints: readonly Endpoint[]): Endpoint[] {
  const isLast = ({ name }: Endpoint): number => ENDS_THE_PLAYER.indexOf(name)
  return endpoints.toSorted((one, other) => isLast(one) - isLast(other))
}

/** A case and its outcome. */
interface Tried {
  readonly one: HostileCase
  readonly request: WireRequest
  /** null if the connection was closed without an answer */
  readonly answer: WireAnswer | null
  readonly wrong: readonly string[]
}

async function attackWith(world: World, wires: readonly Wire[], cases: readonly HostileCase[]): Promise<Tried[]> {
  const tried: Tried[] = []
  let next = 0
  await Promise.all(
    wires.map(async (wire) => {
      for (let one = cases[next++]; one !== undefined; one = cases[next++]) tried.push(await tryOne(world, wire, one))
    }),
  )
  return tried.toSorted((one, other) => one.one.index - other.one.index)
}

async function tryOne(world: World, wire: Wire, one: HostileCase): Promise<Tried> {
  const request = await requestOf(world, one)
  let answer: WireAnswer | null
  try {
    answer = await wire.send(request)
    for (let again = 1; answer.ms > LONGEST_MS && again < SLOW_TRIES; again++)
      answer = await wire.send(await requestOf(world, one))
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    // A tunnel, or a request that never ended, may be refused without an answer.
    return { one, request, answer: null, wrong: one.method === 'CONNECT' || one.isUnfinished ? [] : [error.message] }
  }
  const wrong = judge(one, answer)
  // A jump of the demo's clock does the work of the days it skips.
  const isJump = one.endpoint.name === 'moveClock' && answer.status === 200
  if (answer.ms > LONGEST_MS && !isJump) wrong.push(`it took ${answer.ms.toFixed(0)} ms, ${SLOW_TRIES} times`)
  return { one, request, answer, wrong }
}

async function requestOf(world: World, one: HostileCase): Promise<WireRequest> {
  const { method, target, headers, body, isAstray, isUnfinished } = one
  const authorization = await world.authorizationOf(one.bearer)
  return {
    method,
    target,
    headers: [
      ...(authorization === null ? [] : [['authorization', authorization] as const]),
      // Each case comes from its own address, so that one rate limit does not hide what is behind it.
      ['x-forwarded-for', addressOf(one)],
      ...headers,
    ],
    body,
    isLast: isAstray,
    isUnfinished,
  }
}

function addressOf({ index }: HostileCase): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
}

/** Renews the player's session once it has ended or a limit was reached. */
async function recover(world: World, round: readonly Tried[]): Promise<void> {
  const isGoodToken = ({ one }: Tried): boolean => one.bearer.of === 'player' && one.bearer.change === null
  const isEnded = round.some((tried) => isGoodToken(tried) && tried.answer?.status === 401)
  const isLimited = round.some(({ answer }) => answer?.status === 429)
  if (isEnded || isLimited) await world.renew(isEnded)
}

const SHOWN_BYTES = 1500

/** Everything needed to reproduce a failure. */
function describeTried(
  seed: number,
  one: HostileCase,
  request: WireRequest,
  answer: WireAnswer | null,
  wrong: readonly string[],
): string {
  const bytes = bytesOf({ ...request, headers: request.headers.map(([name, value]) => [name, shown(name, value)]) })
  const head =
    answer === null
      ? 'none'
      : `${answer.status} ${[...answer.headers].map(([name, value]) => `${name}: ${value.join(' | ')}`).join(', ')}`
  return [
    `${one.endpoint.name} ${one.endpoint.method} ${one.endpoint.path}: ${wrong.join('; ') || 'nothing wrong'}`,
    `  flaws: ${one.flaws.join(', ') || 'none'}; sent by ${one.bearer.of}${one.bearer.change === null ? '' : ' with another token'}`,
    `  request: ${JSON.stringify(bytes.subarray(0, SHOWN_BYTES).toString('latin1'))}${bytes.length > SHOWN_BYTES ? ` and ${bytes.length - SHOWN_BYTES} bytes` : ''}`,
    `  answer: ${head}`,
    `  ${JSON.stringify(answer?.body.slice(0, SHOWN_BYTES) ?? null)}`,
    `  again: npm run hostile -- --seed ${seed} --only ${one.endpoint.name} --case ${one.index}`,
  ].join('\n')
}

function shown(name: string, value: string): string {
  return name === 'authorization' ? value.slice(0, 400) : value
}
