import { FINAL_CONFIRMATIONS } from '@fairball/domain/finality'
import { takeMessage } from '@fairball/server/testing/lottery'
import { Broken } from './checks.ts'
import { onErrand } from './errands.ts'
import { type Faults, NEARLY_RIGHT_SECONDS, type Outage, OUTAGES } from './faults.ts'
import type { Prng } from './prng.ts'
import type { Process } from './processes.ts'
import { forged, FORGERIES, messageOf, type ProviderMessage, readMessage } from './provider-messages.ts'
import type { World } from './world.ts'

/** Delay between blocks without faults. */
const QUIET_BLOCK_SECONDS = 120
/** Retries of a provider whose message was not acknowledged. */
const MESSAGE_TRIES = 3
const MESSAGE_PAUSE_SECONDS = 60

/** What happens outside may use this. */
interface OutsideDeps {
  readonly seed: number
  readonly prng: Prng
  readonly faults: Faults
  readonly world: World
  readonly webs: readonly Process[]
  /** whether faults are over */
  readonly isQuiet: () => boolean
  /** sleeps so many seconds of the simulation */
  readonly pause: (seconds: number) => Promise<void>
  /** has somebody act by himself */
  readonly inBackground: (act: () => Promise<void>) => void
  /** notes a fact in the trace */
  readonly note: (line: string) => void
  readonly onFault: (what: string) => void
}

export type Outside = ReturnType<typeof createOutside>

/** What happens outside of the program: blocks, messages of the provider, outages, and clocks that are set. */
export function createOutside(deps: OutsideDeps) {
  const { seed, prng, faults, world, webs, isQuiet, pause, inBackground, note, onFault } = deps
  const { node, chain } = world
  let messages = 0

  /** Blocks come, and sometimes others in their place. */
  async function mineBlocks(): Promise<void> {
    for (;;) {
      await pause(isQuiet() ? QUIET_BLOCK_SECONDS : prng.between(60, faults.blockSeconds))
      if (prng.chance(faults.reorganisation)) reorganise(prng.between(1, faults.deepestReorganisation))
      mineBlock()
    }
  }

  function mineBlock(): void {
    world.mine()
    tell(world.addressesInNewestBlock())
    note('block')
  }

  /** A payment gets the confirmations that it needs at once. */
  function confirmNow(): void {
    for (let mined = 0; mined < world.requiredConfirmations; mined += 1) mineBlock()
  }

  /**
   * The payment that spends a coin waits again, and no miner takes it.
   *
   * @returns its transaction; null where it is in no block, or final
   */
  function takeBack(coin: string): string | null {
    const txid = chain.minedSpender(coin)
    if (txid === undefined || chain.depthOf(txid) >= FINAL_CONFIRMATIONS) return null
    world.passOver(txid)
    reorganise(chain.depthOf(txid))
    return txid
  }

  function reorganise(depth: number): void {
    // What is six deep is taken for final: it may be taken back for a while, and comes again (fairness section 9).
    const final = new Set(chain.blocks.slice(0, -(FINAL_CONFIRMATIONS - 1)).flat())
    node.reorganise(depth)
    onFault(`reorganisations of ${depth}`)
    note(`reorganisation of ${depth}`)
    for (const txid of node.mempool()) if (!final.has(txid)) maybeRespend(txid)
    tell(world.addressesWaiting())
    for (let again = 1; again < depth; again += 1) node.mineEmpty()
  }

  /** The owner of the coins may spend what a reorganisation put back in another way. */
  function maybeRespend(txid: string): void {
    const { inputs, outputs } = chain.txOf(txid)
    const [coin] = inputs
    if (coin?.startsWith('outside') !== true || !prng.chance(faults.doubleSpend)) return
    node.put({ inputs: [coin], outputs: outputs.map((output) => ({ ...output, address: 'elsewhere' })), feeSats: 999n })
    onFault('double spends')
  }

  /**
   * What waits for its block gets it in the last seconds before a draw closes: an order joins it while it is closed, or is late.
   *
   * @param seconds from now until it closes
   */
  async function rushToClose(seconds: number): Promise<void> {
    await pause(seconds - prng.between(0, 2))
    world.mine()
    note('block')
    for (const ref of world.touch(world.addressesInNewestBlock())) {
      const message = nextMessage(ref)
      inBackground(() => deliver(message, 0))
      onFault('paid at the close')
    }
  }

  /** The provider tells that something changed about some invoices: late, several times, or never. Others forge messages. */
  function tell(addresses: readonly string[]): void {
    for (const ref of world.touch(addresses)) {
      const message = nextMessage(ref)
      if (prng.chance(faults.forgery)) forge(ref, message)
      if (prng.chance(faults.webhookLoss)) {
        onFault('messages lost')
        continue
      }
      const known = { isTaken: false }
      for (let times = prng.between(1, faults.webhookRepeats); times > 0; times -= 1)
        inBackground(() => deliver(message, faults.webhookDelay, known))
    }
  }

  function nextMessage(ref: string): ProviderMessage {
    messages += 1
    return messageOf(ref, `${seed} ${messages}`)
  }

  /** What is not signed by the provider is not taken: the door reads each message as the program does. */
  function forge(ref: string, seen: ProviderMessage): void {
    for (const how of FORGERIES) {
      const other = how === 'of another order' ? messageOf('another', `${seed} other`) : seen
      if (readMessage(forged(how, ref, other)) !== null) throw new Broken([`F5: a forged message (${how}) was taken`])
      onFault('messages forged')
    }
  }

  async function deliver(message: ProviderMessage, delay: number, known = { isTaken: false }): Promise<void> {
    await pause(prng.between(0, delay))
    const hint = readMessage(message)
    if (hint === null) throw new Broken(['F4: a message of the provider was refused'])
    for (let tried = 0; tried < MESSAGE_TRIES; tried += 1) {
      try {
        const isAgain = known.isTaken
        const web = prng.pick(webs)
        const isNew = await onErrand('message', () => web.ask(({ lottery }) => takeMessage(lottery.payments, hint)))
        if (isAgain && isNew) throw new Broken(['F4: a message was taken twice'])
        known.isTaken = true
        return onFault(isNew ? 'messages' : 'messages repeated')
      } catch (error) {
        if (error instanceof Broken) throw error
        await pause(MESSAGE_PAUSE_SECONDS)
      }
    }
  }

  /** The wallet has signed and cannot be reached any more: what it signed is sent later. */
  function maybeLoseWallet(): void {
    if (isQuiet() || !prng.chance(faults.lossAfterSigning)) return
    onFault('wallet lost after signing')
    const seconds = prng.between(30, 600)
    setDown('wallet', true)
    inBackground(async () => {
      await pause(seconds)
      node.restart()
      setDown('wallet', false)
    })
  }

  /** Somebody sets a clock. */
  async function setClock({ after, name, offset }: Faults['clockJumps'][number]): Promise<void> {
    await pause(after)
    if (isQuiet()) return
    faults.clockOffsets = new Map([...faults.clockOffsets, [name, offset]])
    note(`the clock of ${name} is ${offset} seconds off`)
    onFault(offset > NEARLY_RIGHT_SECONDS ? 'clocks set fast' : 'clocks set')
  }

  async function breakDown({ what, from, until }: Faults['outages'][number]): Promise<void> {
    await pause(from)
    if (isQuiet()) return
    setDown(what, true)
    onFault(`${what} down`)
    await pause(until - from)
    setDown(what, false)
  }

  function endOutages(): void {
    for (const what of OUTAGES) setDown(what, false)
  }

  function setDown(what: Outage, isDown: boolean): void {
    note(`${what} is ${isDown ? 'down' : 'up'}`)
    if (what === 'wallet') world.setReachable(!isDown)
    else world.isDown[what] = isDown
  }

  return {
    mineBlocks,
    mineBlock,
    confirmNow,
    takeBack,
    rushToClose,
    tell,
    maybeLoseWallet,
    setClock,
    breakDown,
    endOutages,
  }
}
