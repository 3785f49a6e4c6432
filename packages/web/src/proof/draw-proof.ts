import type { Bundle } from '@fairball/domain/protocol/bundle'
import { collectBundle } from '@fairball/domain/protocol/collect-bundle'
import { type GetFile, RemoteLog } from '@fairball/domain/protocol/remote-log'
import type { VerifyStep } from '@fairball/domain/protocol/verify'
import type { DrawHint } from '@fairball/contract/schemas/fairness'
import type { Api } from '../shared/api.ts'
import { ticketsOfDraw } from '../shared/data/tickets.ts'
import type { Runtime } from '../shared/runtime.ts'
import { randomBelow, readLog } from './files.ts'
import type { KeptStore } from './kept-store.ts'
import { type Contradiction, rememberHead, rememberKeys } from './memory.ts'
import { type ExpectedPlay, fetchPapers, papersOfDraw, playsOf, rememberPaidOrders } from './own-papers.ts'
import type { Proof } from './prove.ts'
import { ownTrust, rootsNow, type TrustFile } from './trust.ts'
import { prepareVerifier, proveInWorker } from './verifier.ts'

/**
 * Maximum number of sections (of 65,536 plays) for which a draw is fetched completely; of a larger one only the own
 * sections and a random one are.
 */
const MAX_SECTIONS = 4

/** The current step of a check. */
export type ProofStage = 'papers' | 'record' | 'checking'

/** Dependencies of fetching and checking a draw. */
interface DrawProofParts {
  readonly api: Api
  readonly runtime: Pick<Runtime, 'fetch' | 'randomBytes'>
  readonly store: KeptStore
  /** The time recorded for new sights, epoch seconds. */
  readonly sightAt: () => number
}

/** The draw, and its viewer. */
interface WantedDraw {
  readonly game: string
  readonly draw: number
  /** null for a visitor */
  readonly player: string | null
  readonly signal?: AbortSignal
  readonly onStage?: (stage: ProofStage) => void
  /** Called as each step of the verification begins. */
  readonly onStep?: (step: VerifyStep) => void
}

/** A draw as this browser fetched and checked it. */
export interface DrawProof {
  readonly proof: Proof
  readonly bundle: Bundle
  readonly trust: TrustFile
  /** Contradictions between the operator's earlier and present answers to this browser. */
  readonly contradictions: readonly Contradiction[]
}

/**
 * Fetches a draw from the operator's files with the player's papers, checks it in the worker by this browser's trust,
 * and keeps the new sights.
 *
 * @throws the error of a failed fetch, or an Error if no worker can run, without a verdict on the draw
 */
export async function proveDraw(parts: DrawProofParts, wanted: WantedDraw): Promise<DrawProof> {
  const { api, runtime, store, sightAt } = parts
  const { game, draw, player, signal, onStage, onStep } = wanted
  prepareVerifier()
  const hinting = api.call('getFairnessDraw', { params: { game, number: draw } })
  const ownPapersOf = async () => {
    const hint = await hinting
    if (player === null) return NO_PAPERS
    onStage?.('papers')
    return await ownPapers(parts, { ...wanted, player }, hint)
  }
  const papers = ownPapersOf()
  const notes = papers.then((own) => own.papers)
  notes.catch(() => undefined) // the check fails with it
  const check = async (get: GetFile) => {
    const [atOnce, hint] = await Promise.all([RemoteLog.open(get), hinting])
    // Before the end of a draw, papers can be newer than a head that is fetched with them.
    const log = isOver(hint.state) ? atOnce : await papers.then(() => RemoteLog.open(get))
    onStage?.('record')
    const [trust, served] = await Promise.all([
      ownTrust(store, log.checkpoint.origin),
      collectBundle({
        get,
        log,
        draws: [hint.open],
        papers: notes,
        hint,
        mostSections: MAX_SECTIONS,
        random: randomBelow(runtime),
      }),
    ])
    const roots = await rootsNow(log, trust)
    const { plays } = await papers
    onStage?.('checking')
    return { ...(await proveInWorker({ bundle: served, trust, roots, plays }, { signal, onStep })), trust }
  }
  // A failure is what the operator has signed: after a second look it could take that back unseen.
  const { proof, bundle, trust } = await readLog(runtime, check, (it) => it.proof.report.outcome !== 'broken')
  await remember(store, proof, bundle, sightAt())
  return { proof, bundle, trust, contradictions: (await papers).contradictions }
}

const NO_PAPERS = { papers: [], plays: [] as readonly ExpectedPlay[], contradictions: [] as readonly Contradiction[] }

async function ownPapers(
  { api, store, sightAt }: DrawProofParts,
  { game, draw, player }: WantedDraw & { readonly player: string },
  { open }: DrawHint,
) {
  const parts = { api, store, player, sightAt: sightAt() }
  const contradictions = await fetchPapers(parts, await ticketsOfDraw(api, { gameKey: game, number: draw }))
  await rememberPaidOrders(parts, open)
  const name = { player, open }
  return { papers: await papersOfDraw(store, name), plays: await playsOf(store, name), contradictions }
}

function isOver(state: DrawHint['state']): boolean {
  return state === 'settled' || state === 'void'
}

/** Keeps head and keys of a log whose own checks are in order. */
async function remember(store: KeptStore, { report, draws }: Proof, bundle: Bundle, seenAt: number): Promise<void> {
  const log = draws[0]?.facts.log ?? null
  const isInOrder = Object.values(report.checks).every(({ status }) => status === 'pass')
  if (log === null || !isInOrder) return
  await rememberKeys(store, { origin: log.origin, keys: log.keys, seenAt })
  for (const note of [bundle.head, ...bundle.draws.flatMap(({ seal }) => (seal === null ? [] : [seal.checkpoint]))]) {
    await rememberHead(store, note, seenAt)
  }
}
