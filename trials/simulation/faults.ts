import { createPrng } from './prng.ts'

/** Faults that can be left out of a seed, to shrink a failure. */
export const FAULT_NAMES = [
  'crashes',
  'lost-connections',
  'slipping-time',
  'webhooks',
  'reorganisations',
  'beacon',
  'witnesses',
  'clocks',
  'outages',
  'double-clicks',
  'rates',
  'intruder',
  'insider',
  'settings',
  'poor-operator',
  'double-spender',
  'game-changes',
  'lightning',
] as const
export type FaultName = (typeof FAULT_NAMES)[number]

/** What can be down for a while. */
export const OUTAGES = ['wallet', 'provider', 'mail', 'rates', 'witnesses'] as const
export type Outage = (typeof OUTAGES)[number]

/** Longer than the faulty phase of a seed: some outages last until the faults end. */
const LONGEST_OUTAGE_SECONDS = 3600

/** What a faulty relay of the beacon answers instead of the requested round. */
const RELAY_FAULTS = ['other round', 'wrong number', 'garbage', 'no round', 'old rounds only', 'slow'] as const
type RelayFault = (typeof RELAY_FAULTS)[number]

/** Latest start of a witness outage, in seconds. Such witnesses are already down when the first draw closes. */
const LATEST_WITNESS_OUTAGE_SECONDS = 700
/** Permanent faults of a witness. A cosignature dated half an hour off does not count. */
const WITNESS_FAULTS = ['garbage', 'refuses', 'forgets', 'dates late', 'dates early'] as const
type WitnessFault = (typeof WITNESS_FAULTS)[number]

/** The faults of one seed. Every seed has its own mixture, so that some faults coincide and others occur alone. */
export interface Faults {
  /** probability that a process crashes in a step */
  crash: number
  /** the most crashes in a seed */
  crashesLeft: number
  /** probability that a process loses its database connections in a step */
  connectionLoss: number
  lossesLeft: number
  /** probability that time passes during work */
  slip: number
  /** probability that a provider message is never delivered */
  webhookLoss: number
  /** the most deliveries of one message */
  webhookRepeats: number
  /** the longest delay of a message, in seconds */
  webhookDelay: number
  /** probability that a forged message follows a real one */
  forgery: number
  /** whether the provider can be followed; otherwise it is polled */
  readonly providerTells: boolean
  readonly requiredConfirmations: number
  /** the longest time between blocks, in seconds */
  readonly blockSeconds: number
  /** probability that a block replaces others */
  reorganisation: number
  deepestReorganisation: number
  /** probability that a payment dropped by a reorganisation is spent elsewhere */
  doubleSpend: number
  /** delay of a round after its time, in seconds */
  beaconLateSeconds: number
  /** the fault of each relay */
  relays: readonly (RelayFault | null)[]
  /** the fault of each witness */
  witnesses: readonly (WitnessFault | null)[]
  /** whether the relays report the newest round, which reveals a slow clock */
  readonly tellsTime: boolean
  /** how far each process's clock is off, in seconds, by its name */
  clockOffsets: ReadonlyMap<string, number>
  /** clocks set during the run: when (seconds from the start), whose, and how far off from then on */
  clockJumps: readonly { readonly after: number; readonly name: string; readonly offset: number }[]
  /** whether rates are live: polled, and refused if stale or jumping */
  readonly hasLiveRates: boolean
  /** probability that the rate source reports ten times the true rate */
  absurdRate: number
  /**
   * probability that the wallet becomes unreachable right after signing; when it returns it has forgotten which coins
   * it locked
   */
  lossAfterSigning: number
  /** what is down, from when until when, in seconds from the start */
  outages: readonly { readonly what: Outage; readonly from: number; readonly until: number }[]
  /** probability that a player sends a request twice at once */
  doubleClick: number
  /** probability that a player orders on two devices at once */
  secondDevice: number
  /** whether players come at the same moments: their orders share transactions */
  isCrowded: boolean
  /** probability that a paying player begins an exclusion at about that time */
  exclusion: number
  /** whether miners pass over a payment, for a while or for ever */
  readonly minersPassOver: boolean
}

/** Largest accepted clock error (fairness section 9, decision 37). */
export const NEARLY_RIGHT_SECONDS = 30
/** Share of seeds in which a worker's clock is fast. */
const FAST_CLOCK = 0.08
/** Share of fast clocks that are right at first. */
const SET_FAST = 0.5
/** Share of seeds in which miners pass over a payment. Such a seed lasts until its order is no longer held. */
const PASSED_OVER = 0.12
/** Share of seeds in which players come at the same moments. */
const CROWDED = 0.4
/** Share of seeds in which the beacon is late. */
const LATE_BEACON = 0.45

/** Names of the processes: two serve players, two are workers. */
export const PROCESSES = ['web-1', 'web-2', 'worker-1', 'worker-2'] as const

/** The faults of a seed. @param without the kinds to leave out */
export function faultsOf(seed: string, without: ReadonlySet<FaultName> = new Set()): Faults {
  const prng = createPrng(`${seed} faults`)
  const often = (probability: number, value: number): number => (prng.chance(probability) ? value : 0)
  const isSlow = prng.chance(0.08)
  // A slow process that serves players would date the end of a session before its last token. That is not the session's
  // fault.
  const slowest = prng.pick(['worker-1', 'worker-2'] as const)
  const isFast = !isSlow && prng.chance(FAST_CLOCK)
  const offsetOf = (name: string): number => {
    if (isSlow && name === slowest) return -prng.between(60, prng.chance(0.3) ? 3600 : 900)
    if (isFast && name === slowest) return prng.between(31, prng.chance(0.3) ? 1800 : 300)
    return prng.chance(0.3) ? prng.between(-12, 12) : 0
  }
  const offsets = PROCESSES.map((name): [string, number] => [name, offsetOf(name)])
  const outages = OUTAGES.flatMap((what) => {
    if (!prng.chance(0.25)) return []
    const from = prng.between(0, what === 'witnesses' ? LATEST_WITNESS_OUTAGE_SECONDS : 1800)
    return [{ what, from, until: from + prng.between(30, LONGEST_OUTAGE_SECONDS) }]
  })
  const faults: Faults = {
    crash: prng.pick([0, 0.001, 0.003, 0.01]),
    crashesLeft: prng.between(1, 6),
    connectionLoss: often(0.3, 0.002),
    lossesLeft: 3,
    slip: prng.pick([0, 0.002, 0.01, 0.03]),
    webhookLoss: prng.pick([0, 0.3, 1]),
    webhookRepeats: prng.pick([1, 2, 5]),
    webhookDelay: prng.pick([5, 300, 3000]),
    forgery: prng.pick([0, 0.3, 1]),
    providerTells: prng.chance(0.5),
    requiredConfirmations: prng.pick([1, 1, 2]),
    blockSeconds: prng.pick([450, 900]),
    reorganisation: prng.pick([0, 0.2, 0.5]),
    deepestReorganisation: prng.between(1, 6),
    doubleSpend: prng.pick([0, 0.3, 0.8]),
    // A beacon that is an hour late costs as many steps as two other seeds.
    beaconLateSeconds: prng.chance(LATE_BEACON) ? prng.pick([30, 60, 240, 30, 60, 240, 30, 60, 240, 3600]) : 0,
    relays: [prng.chance(0.1), prng.chance(0.4)].map((isFaulty) => (isFaulty ? prng.pick(RELAY_FAULTS) : null)),
    witnesses: [prng.chance(0.15), prng.chance(0.15), prng.chance(0.15)].map((isFaulty) =>
      isFaulty ? prng.pick(WITNESS_FAULTS) : null,
    ),
    tellsTime: isSlow,
    clockOffsets: new Map(offsets),
    clockJumps: prng.chance(0.2)
      ? [{ after: prng.between(60, 1500), name: prng.pick(PROCESSES), offset: prng.between(-12, 12) }]
      : [],
    hasLiveRates: prng.chance(0.2),
    absurdRate: prng.pick([0, 0.2, 0.5]),
    lossAfterSigning: prng.pick([0, 0, 0.5]),
    outages,
    doubleClick: prng.pick([0, 0.2, 0.5]),
    secondDevice: prng.pick([0, 0, 0.4]),
    isCrowded: createPrng(`${seed} crowd`).chance(CROWDED), // a separate stream, so that the seed's other faults stay
    minersPassOver: prng.chance(PASSED_OVER),
    exclusion: prng.pick([0, 0, 0, 0.3]),
  }
  if (isFast && prng.chance(SET_FAST)) {
    // Right at first, then set ahead during work.
    const offset = faults.clockOffsets.get(slowest) ?? 0
    faults.clockOffsets = new Map([...offsets, [slowest, 0]])
    faults.clockJumps = [...faults.clockJumps, { after: prng.between(60, 1000), name: slowest, offset }]
  }
  if (without.has('crashes')) faults.crash = 0
  if (without.has('lost-connections')) faults.connectionLoss = 0
  if (without.has('slipping-time')) faults.slip = 0
  if (without.has('webhooks')) Object.assign(faults, { webhookLoss: 0, webhookRepeats: 1, webhookDelay: 1, forgery: 0 })
  if (without.has('reorganisations')) faults.reorganisation = 0
  if (without.has('beacon')) Object.assign(faults, { beaconLateSeconds: 0, relays: [] })
  if (without.has('witnesses')) faults.witnesses = []
  if (without.has('clocks')) Object.assign(faults, { clockOffsets: new Map(), clockJumps: [] })
  if (without.has('outages')) Object.assign(faults, { outages: [], lossAfterSigning: 0 })
  if (without.has('rates')) faults.absurdRate = 0
  if (without.has('double-clicks')) Object.assign(faults, { doubleClick: 0, secondDevice: 0, isCrowded: false })
  return faults
}

/** A seed without faults. The layout of the outside world still differs from seed to seed. */
export function noFaultsOf(seed: string): Faults {
  const faults: Faults = {
    ...faultsOf(seed),
    tellsTime: false,
    hasLiveRates: false,
    minersPassOver: false,
    blockSeconds: 240,
  }
  endFaults(faults)
  return faults
}

/** The faults that hold from the start, in words, one entry for each occurrence. */
export function standingFaults({ relays, beaconLateSeconds, clockOffsets, hasLiveRates }: Faults): string[] {
  return [
    ...relays.flatMap((relay) => (relay === null ? [] : [`relays: ${relay}`])),
    ...(beaconLateSeconds > 0 ? [`beacon ${beaconLateSeconds} s late`] : []),
    ...[...clockOffsets.values()].flatMap((offset) => (offset === 0 ? [] : [clockFault(offset)])),
    ...(hasLiveRates ? ['live rates'] : []),
  ]
}

function clockFault(offset: number): string {
  if (offset < -NEARLY_RIGHT_SECONDS) return 'clocks slow'
  return offset > NEARLY_RIGHT_SECONDS ? 'clocks fast' : 'clocks nearly right'
}

/** Ends all faults. Whatever is pending must now finish. */
export function endFaults(faults: Faults): void {
  Object.assign(faults, {
    crash: 0,
    connectionLoss: 0,
    webhookLoss: 0,
    webhookRepeats: 1,
    webhookDelay: 1,
    forgery: 0,
    reorganisation: 0,
    beaconLateSeconds: 0,
    relays: [],
    witnesses: [],
    clockOffsets: new Map(),
    clockJumps: [],
    outages: [],
    absurdRate: 0,
    lossAfterSigning: 0,
    doubleClick: 0,
    secondDevice: 0,
    isCrowded: false,
    exclusion: 0,
  })
}
