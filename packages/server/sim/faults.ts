import { createPrng } from './prng.ts'

/** What can be left out of a seed when a failure is made smaller. */
export const FAULT_NAMES = [
  'crashes',
  'lost-connections',
  'slipping-time',
  'webhooks',
  'reorganisations',
  'beacon',
  'clocks',
  'outages',
  'double-clicks',
] as const
export type FaultName = (typeof FAULT_NAMES)[number]

/** The faults of one seed: each seed has its own mixture, so that some of them meet and some have room. */
export interface Faults {
  /** probability that a step is a process's last one */
  crash: number
  /** how often processes die at most */
  crashesLeft: number
  /** probability that a step loses a process its connections to the database */
  connectionLoss: number
  lossesLeft: number
  /** probability that time goes on in the middle of work */
  slip: number
  /** probability that a message of the provider is never delivered */
  webhookLoss: number
  /** how often each is delivered at most */
  webhookRepeats: number
  /** how late at most, in seconds */
  webhookDelay: number
  /** whether the provider can be followed; otherwise it is asked from time to time */
  readonly providerTells: boolean
  readonly requiredConfirmations: number
  /** probability that a block takes the place of others */
  reorganisation: number
  deepestReorganisation: number
  /** probability that what a reorganisation put back is spent otherwise */
  doubleSpend: number
  /** how long after its time a round is published, in seconds */
  beaconLateSeconds: number
  relayLies: boolean
  /** whether the relays tell the newest round, so that a slow clock is known */
  readonly tellsTime: boolean
  /** how far the clock of each process is off, in seconds, by its name */
  clockOffsets: ReadonlyMap<string, number>
  /** what is down, from when to when, in seconds from the start */
  outages: readonly { readonly what: 'wallet' | 'provider' | 'mail'; readonly from: number; readonly until: number }[]
  /** probability that a player asks for the same thing twice at once */
  doubleClick: number
}

/** The names of the processes: two serve players, two work. */
export const PROCESSES = ['web-1', 'web-2', 'worker-1', 'worker-2'] as const

/** The faults of a seed. @param without kinds that are left out */
export function faultsOf(seed: string, without: ReadonlySet<FaultName> = new Set()): Faults {
  const prng = createPrng(`${seed} faults`)
  const often = (probability: number, value: number): number => (prng.chance(probability) ? value : 0)
  const isSlow = prng.chance(0.08)
  // A slow one that serves players would date the end of a session before its last token, which is no fault of the session.
  const slowest = prng.pick(['worker-1', 'worker-2'] as const)
  const offsets = PROCESSES.map((name): [string, number] => [
    name,
    isSlow && name === slowest ? -prng.between(60, 900) : prng.chance(0.3) ? prng.between(-12, 12) : 0,
  ])
  const outages = (['wallet', 'provider', 'mail'] as const).flatMap((what) => {
    if (!prng.chance(0.25)) return []
    const from = prng.between(0, 1800)
    return [{ what, from, until: from + prng.between(30, 1200) }]
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
    providerTells: prng.chance(0.5),
    requiredConfirmations: prng.pick([1, 1, 2]),
    reorganisation: prng.pick([0, 0, 0.15, 0.4]),
    deepestReorganisation: prng.between(1, 5),
    doubleSpend: prng.pick([0, 0.3]),
    beaconLateSeconds: prng.pick([0, 0, 0, 0, 30, 240]),
    relayLies: prng.chance(0.2),
    tellsTime: isSlow,
    clockOffsets: new Map(offsets),
    outages,
    doubleClick: prng.pick([0, 0.2, 0.5]),
  }
  if (without.has('crashes')) faults.crash = 0
  if (without.has('lost-connections')) faults.connectionLoss = 0
  if (without.has('slipping-time')) faults.slip = 0
  if (without.has('webhooks')) Object.assign(faults, { webhookLoss: 0, webhookRepeats: 1, webhookDelay: 1 })
  if (without.has('reorganisations')) faults.reorganisation = 0
  if (without.has('beacon')) Object.assign(faults, { beaconLateSeconds: 0, relayLies: false })
  if (without.has('clocks')) faults.clockOffsets = new Map()
  if (without.has('outages')) faults.outages = []
  if (without.has('double-clicks')) faults.doubleClick = 0
  return faults
}

/** From here on nothing goes wrong any more: what is left has to come to its end by itself. */
export function endFaults(faults: Faults): void {
  Object.assign(faults, {
    crash: 0,
    connectionLoss: 0,
    webhookLoss: 0,
    webhookRepeats: 1,
    webhookDelay: 1,
    reorganisation: 0,
    beaconLateSeconds: 0,
    relayLies: false,
    clockOffsets: new Map(),
    outages: [],
    doubleClick: 0,
  })
}
