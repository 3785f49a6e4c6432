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
/** Attempts of the provider to deliver a message. */
const MESSAGE_TRIES = 3
const MESSAGE_PAUSE_SECONDS = 60

/** What the outside world needs. */
interface OutsideDeps {
  readonly seed: number
  readonly prng: Prng
  readonly faults: Faults
  readonly world: World
  readonly webs: readonly Process[]
  /** whether the faults are over */
  readonly isQuiet: () => boolean
  /** sleeps this many seconds of the simulation */
  readonly pause: (seconds: number) => Promise<void>
  /** runs an outside actor */
  readonly inBackground: (act: () => Promise<void>) => void
  /** records a fact in the trace */
  readonly note: (line: string) => void
  readonly onFault: (what: string) => void
}

export type Outside = ReturnType<typeof createOutside>

/** Everything outside the program: blocks, provider messages, outages, and clocks that are set. */
export function createOutside(deps: OutsideDeps) {
  const { seed, prng, faults, world, webs, isQuiet, pause, inBackground, note, onFault } = deps
  const { node, chain } = world
  let messages = 0

  /** Mines blocks, and sometimes replaces earlier ones. */
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

  /** Gives a payment all the confirmations it needs. */
  function confirmNow(): void {
    for (let mined = 0; mined < world.requiredConfirmations; mined += 1) mineBlock()
  }

  /**
   * Returns the payment that spends a coin to the mempool, where no miner takes it.
   *
   * @returns its transaction; null if it is not in a block, or already final
   */
  function takeBack(coin: string): string | null {
    const txid = chain.minedSpender(coin)
    if (txid === undefined || chain.depthOf(txid) >= FINAL_CONFIRMATIONS) return null
    world.passOver(txid)
    reorganise(chain.depthOf(txid))
    return txid
  }

  function reorganise(depth: number): void {
    // A payment six blocks deep is final: it may disappear for a while, but it returns (fairness section 9).
    const final = new Set(chain.blocks.slice(0, -(FINAL_CONFIRMATIONS - 1)).flat())
    node.reorganise(depth)
    onFault(`reorganisations of ${depth}`)
    note(`reorganisation of ${depth}`)
    for (const txid of node.mempool()) if (!final.has(txid)) maybeRespend(txid)
    tell(world.addressesWaiting())
    for (let again = 1; again < depth; again += 1) node.mineEmpty()
  }

  /** The owner of the coins may spend them elsewhere after a reorganisation has dropped their payment. */
  function maybeRespend(txid: string): void {
    const { inputs, outputs } = chain.txOf(txid)
    const [coin] = inputs
    if (coin?.startsWith('outside') !== true || !prng.chance(faults.doubleSpend)) return
    node.put({ inputs: [coin], outputs: outputs.map((output) => ({ ...output, address: 'elsewhere' })), feeSats: 999n })
    onFault('double spends')
  }

  /**
   * Confirms waiting payments in the last seconds before a draw closes, so their orders enter it during the close or
   * are late.
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

  /** The provider reports changes to some invoices: late, several times, or never. Others forge messages. */
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

  /** A message without the provider's signature is refused. It is read here as the program reads it. */
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

  /** The wallet becomes unreachable right after signing. The signed payout is sent later. */
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

  /** Sets a process's clock. */
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
