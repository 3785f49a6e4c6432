/** The results of checks, and a verifier's report on a bundle (section 11). */

/**
 * The result of a check. `fail`: something the operator signed breaks the protocol. `broken`: the file is not what the
 * operator signed, or is incomplete; that accuses no one.
 */
export type Status = 'pass' | 'warn' | 'unknown' | 'wait' | 'fail' | 'broken'

/** The outcome of a bundle, or of one draw. */
export type Outcome = 'proved' | 'holds' | 'not yet' | 'failed' | 'broken'

/** All checks in order, with the statement that each confirms. */
export const CHECKS = {
  'log.head': 'The head of the log is signed by its key',
  'log.member': 'Every statement is in the log',
  'log.order': 'The log is in order',
  'log.keys': 'Each key of the log was promised by the one before',
  'log.remembered': 'The log is the one this verifier remembers',
  'open.form': 'The draw was announced',
  'open.rules': 'Its rules were announced in time',
  'open.policy': 'Its witnesses are known',
  'open.times': 'It closes and starts when its rules say',
  'beacon.chain': 'Its random number comes from a public source',
  'open.round': 'Its random number was fixed with its start',
  'open.postponed': 'It was delayed before its random number was known',
  'seal.range': 'All of the log from the end of sales on is here',
  'seal.once': 'It was sealed once and has one result',
  'seal.seed': 'The seed is the one promised before sales',
  'seal.time': 'It was sealed between the end of sales and the random number',
  'seal.witnesses': 'Its witnesses signed the sealed list in time',
  'seal.seen': 'Someone this verifier trusts saw the sealed list in time',
  'plays.leaves': 'Every play has valid lines',
  'plays.root': 'These are the plays that were sealed',
  'plays.revoked': 'Plays without a payment do not count',
  'plays.counts': 'The number of lines is right',
  'plays.sold': 'Every play that was sold is in the sealed list',
  'plays.rate': 'Every play was sold at a rate of its time',
  'money.stake': 'The stakes add up',
  'money.pool': 'The prize pool is the pot and its share of the stakes',
  'money.state': 'The game continues from the draw before',
  'money.free': 'No more free tickets were used than won',
  'money.rate': 'The exchange rate is the one of several sources',
  'money.guarantee': 'The guaranteed amounts are those of the rules',
  'beacon.signature': 'The random number is genuine',
  'result.form': 'There is a result from that random number',
  'result.numbers': 'The numbers follow from seed, sealed list and random number',
  'result.sections': 'The winners of each section are right',
  'result.tiers': 'The winners and prizes of each tier are right',
  'result.state': 'What is left stays in the pot',
  'void.state': 'Everything of the void draw goes back',
  'void.reason': 'There was a reason to give the draw up',
  'paid.won': 'What was paid is not more than what was won',
  'papers.form': 'Promises and receipts are readable',
  'receipt.signature': 'Receipts are signed by the operator',
  'receipt.moved': 'Plays moved to another draw say why',
  'receipt.leaf': 'Plays with a receipt are in their place',
  'receipt.owner': 'Plays with a receipt are its owner’s',
  'promise.signature': 'Promises are signed by the operator',
  'promise.kept': 'Paid plays are in the draw as promised',
} as const

export type CheckId = keyof typeof CHECKS

/** The result of a check and the reason in plain words; the reason is empty if it passed. */
export interface Finding {
  readonly status: Status
  readonly why: string
}

/** The report on one draw. */
export interface DrawReport {
  readonly open: string
  /** includes the checks of the log, which every draw depends on */
  readonly outcome: Outcome
  readonly checks: Findings
  /** the numbers in the order drawn, as this verifier computed them; null if there are none yet */
  readonly numbers: readonly number[] | null
}

export type Findings = Readonly<Partial<Record<CheckId, Finding>>>

/** The report on a bundle. */
export interface Report {
  readonly outcome: Outcome
  /** reasons why the draws are not proved, as `check: why` */
  readonly reasons: readonly string[]
  /** of the log and of the form of papers */
  readonly checks: Findings
  readonly draws: readonly DrawReport[]
  /** ids of checks, each once */
  readonly failed: readonly CheckId[]
  readonly warned: readonly CheckId[]
  readonly broken: readonly CheckId[]
}

/** The exit code of a verifier's command by outcome. */
export const EXIT_CODES: Readonly<Record<Outcome, number>> = { proved: 0, failed: 1, broken: 2, holds: 3, 'not yet': 4 }

const WORST_FIRST: readonly Status[] = ['broken', 'fail', 'wait', 'unknown', 'warn', 'pass']
const OUTCOMES_WORST_FIRST: readonly Outcome[] = ['broken', 'failed', 'not yet', 'holds', 'proved']
/** If one of these checks is unknown, the draw is not proved. */
const NEEDED = /^(?:open|seal|plays|beacon|void)\./

/** Collects the findings of a draw or of the log. Of several findings for one check, the worst is kept. */
export class Checks {
  readonly #findings = new Map<CheckId, Finding>()

  /** Records the result of a check; `why` is a plain sentence. */
  end(id: CheckId, status: Status, why = ''): void {
    const before = this.#findings.get(id)
    if (before !== undefined && !isWorse(status, before.status)) return
    this.#findings.set(id, { status, why })
  }

  /** Records a check as passed if its condition holds, and with another status if not. */
  hold(id: CheckId, isSo: boolean, otherwise: Exclude<Status, 'pass'>, why: string): boolean {
    if (isSo) this.end(id, 'pass')
    else this.end(id, otherwise, why)
    return isSo
  }

  status(id: CheckId): Status | null {
    return this.#findings.get(id)?.status ?? null
  }

  /** All findings in the order of the protocol. */
  findings(): Findings {
    const ids = Object.keys(CHECKS) as CheckId[]
    return Object.fromEntries(
      ids.flatMap((id) => {
        const finding = this.#findings.get(id)
        return finding === undefined ? [] : [[id, finding]]
      }),
    )
  }
}

/** The outcome of findings: for a draw, its own and the log's. */
export function outcomeOf(...all: readonly Findings[]): Outcome {
  const statuses = new Set(all.flatMap((findings) => Object.values(findings).map(({ status }) => status)))
  if (statuses.has('broken')) return 'broken'
  if (statuses.has('fail')) return 'failed'
  if (statuses.has('wait')) return 'not yet'
  return all.some((findings) => reasonsOf(findings).length > 0) ? 'holds' : 'proved'
}

/** The worst of several outcomes, which is a bundle's outcome. */
export function worstOutcome(outcomes: readonly Outcome[]): Outcome {
  return OUTCOMES_WORST_FIRST.find((outcome) => outcomes.includes(outcome)) ?? 'broken'
}

/** The worst of several statuses. */
export function worstStatus(statuses: readonly Status[]): Status {
  return WORST_FIRST.find((status) => statuses.includes(status)) ?? 'pass'
}

/** The reasons why a draw is not proved. If the `open` has no witnesses, a sight of the verifier is enough. */
export function reasonsOf(findings: Findings): string[] {
  const isSeen = findings['seal.seen']?.status === 'pass'
  return entriesOf(findings).flatMap(([id, { status, why }]) =>
    status === 'unknown' && NEEDED.test(id) && !(id === 'seal.witnesses' && isSeen) ? [`${id}: ${why}`] : [],
  )
}

/** The report of a bundle, from the findings of its log and draws. */
export function reportOf(checks: Findings, draws: readonly DrawReport[]): Report {
  const all = [checks, ...draws.map((draw) => draw.checks)]
  const idsWith = (status: Status): CheckId[] => [
    ...new Set(
      all.flatMap((findings) => entriesOf(findings).flatMap(([id, it]) => (it.status === status ? [id] : []))),
    ),
  ]
  return {
    outcome: worstOutcome([outcomeOf(checks), ...draws.map(({ outcome }) => outcome)]),
    reasons: all.flatMap(reasonsOf),
    checks,
    draws,
    failed: idsWith('fail'),
    warned: idsWith('warn'),
    broken: idsWith('broken'),
  }
}

function entriesOf(findings: Findings): [CheckId, Finding][] {
  return Object.entries(findings) as [CheckId, Finding][] // keys of findings are ids of checks
}

function isWorse(status: Status, than: Status): boolean {
  return WORST_FIRST.indexOf(status) < WORST_FIRST.indexOf(than)
}
