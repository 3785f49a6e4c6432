import { createPrng } from './prng.ts'

/** What can be left out of a seed when a failure is made smaller. */
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
  'double-spender',
] as const
export type FaultName = (typeof FAULT_NAMES)[number]

/** What can be down for a while. */
export const OUTAGES = ['wallet', 'provider', 'mail', 'rates', 'witnesses'] as const
export type Outage = (typeof OUTAGES)[number]

/** Longer than a seed goes wrong: some are down from a moment on until the faults end. */
const LONGEST_OUTAGE_SECONDS = 3600

/** What a relay of the beacon answers in place of the round it was asked for. */
const RELAY_FAULTS = ['other round', 'wrong number', 'garbage', 'no round', 'old rounds only', 'slow'] as const
type RelayFault = (typeof RELAY_FAULTS)[number]

/** Witnesses that are down from then on at the latest are asked in vain when the first draw closes. */
const LATEST_WITNESS_OUTAGE_SECONDS = 700
/** What is wrong with a witness for good. Dated half an hour off, its cosignature counts for nothing. */
const WITNESS_FAULTS = ['garbage', 'refuses', 'forgets', 'dates late', 'dates early'] as const
type WitnessFault = (typeof WITNESS_FAULTS)[number]

/** The faults of one seed: each seed has its own mixture, so that some of them meet and some have room. */
export interface Faults {
  /** probability that a step is a process's last one */
  crash: number
  /** how often processes die at most */
  crashesLeft: number
  /** probability that a step loses a process its connections to the database */
  connectionLoss: number
  lossesLeft: number
  /** probability that time passes in the middle of work */
  slip: number
  /** probability that a message of the provider is never delivered */
  webhookLoss: number
  /** how often each is delivered at most */
  webhookRepeats: number
  /** how late at most, in seconds */
  webhookDelay: number
  /** probability that a message is followed by one that somebody forged */
  forgery: number
  /** whether the provider can be followed; otherwise it is asked from time to time */
  readonly providerTells: boolean
  readonly requiredConfirmations: number
  /** how long a block takes at most, in seconds */
  readonly blockSeconds: number
  /** probability that a block takes the place of others */
  reorganisation: number
  deepestReorganisation: number
  /** probability that what a reorganisation put back is spent otherwise */
  doubleSpend: number
  /** how long after its time a round is published, in seconds */
  beaconLateSeconds: number
  /** what is wrong with each relay */
  relays: readonly (RelayFault | null)[]
  /** what is wrong with each witness */
  witnesses: readonly (WitnessFault | null)[]
  /** whether the relays tell the newest round, so that a slow clock is known */
  readonly tellsTime: boolean
  /** how far the clock of each process is off, in seconds, by its name */
  clockOffsets: ReadonlyMap<string, number>
  /** clocks that are set otherwise meanwhile: when, in seconds from the start, whose, and how far off they are from then on */
  clockJumps: readonly { readonly after: number; readonly name: string; readonly offset: number }[]
  /** whether the rates are live: read from time to time, and refused where they are old or jump */
  readonly hasLiveRates: boolean
  /** probability that the source of rates says ten times what is so */
  absurdRate: number
  /** probability that the wallet is gone once it has signed; when it comes back it has forgotten which coins it locked */
  lossAfterSigning: number
  /** what is down, from when to when, in seconds from the start */
  outages: readonly { readonly what: Outage; readonly from: number; readonly until: number }[]
  /** probability that a player asks for the same thing twice at once */
  doubleClick: number
  /** probability that a player orders on two devices at once */
  secondDevice: number
  /** probability that a player who pays begins an exclusion about then */
  exclusion: number
  /** whether miners pass over a payment, for a while or for ever */
  readonly minersPassOver: boolean
}

/** So far a clock may be off (fairness section 9, decision 37). */
export const NEARLY_RIGHT_SECONDS = 30
/** How often the clock of a worker is fast. */
const FAST_CLOCK = 0.08
/** How often a fast one is right at first. */
const SET_FAST = 0.5
/** How often miners pass over a payment. Such a seed lasts until its order is held no longer. */
const PASSED_OVER = 0.12
/** How often the beacon is late. */
const LATE_BEACON = 0.45

/** The names of the processes: two serve players, two work. */
export const PROCESSES = ['web-1', 'web-2', 'worker-1', 'worker-2'] as const

/** The faults of a seed. @param without kinds that are left out */
export function faultsOf(seed: string, without: ReadonlySet<FaultName> = new Set()): Faults {
  const prng = createPrng(`${seed} faults`)
  const often = (probability: number, value: number): number => (prng.chance(probability) ? value : 0)
  const isSlow = prng.chance(0.08)
  // A slow one that serves players would date the end of a session before its last token, which is no fault of the session.
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
    // An hour late takes as many steps as two other seeds.
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
    minersPassOver: prng.chance(PASSED_OVER),
    exclusion: prng.pick([0, 0, 0, 0.3]),
  }
  if (isFast && prng.chance(SET_FAST)) {
    // Right at first, it is set ahead in the middle of work.
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
  if (without.has('double-clicks')) Object.assign(faults, { doubleClick: 0, secondDevice: 0 })
  return faults
}

/** A seed without faults; how the outside world is made differs from seed to seed. */
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

/** What is wrong from the start on, in words, once for each time. */
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

/** From here on nothing goes wrong: what is left has to come to its end. */
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
    exclusion: 0,
  })
}
