import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Ticket } from '@fairball/contract/schemas/ticket'
import { type Api, useApi } from '../../../shared/api.ts'
import { useClockValue, useMinuteNow } from '../../../shared/use-clock.ts'
import { useGameName } from '../../../shared/data/game-looks.ts'
import { useGame } from '../../../shared/data/games.ts'
import { ticketsQuery } from '../../../shared/data/tickets.ts'
import { paths } from '../../../shared/paths.ts'
import { useDrawTime, usePlayerView } from '../../../shared/player-view.ts'
import { markSeen, rememberRows, seenDraws } from '../../../shared/seen-draws.ts'
import { winHeadline } from '../../../shared/win-headline.ts'
import { Ball } from '@fairball/ui/ball.tsx'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { hasWon, heldDraws, isCutShort, MOST_ROWS } from '../held-draws.ts'
import type { HeldDraw } from '../held-draws.ts'
import { STRIP_TEXTS } from '../strip-messages.ts'
import styles from './ticket-strip.module.css'

/** Time before the start from which a draw can be watched, in seconds. */
const WATCH_FROM = 3600
/** Pages of tickets that are read for the newest results. */
const MOST_PAGES = 5
/** Interval at which tickets are fetched from the end of one of their draws until it is drawn, in ms. */
const AFTER_END_MS = 10_000

/** What the player holds, in at most as many rows as there is room for: nothing on the page moves when they arrive. */
export default function TicketStrip() {
  const [seen] = useState(seenDraws)
  const [room] = useState(roomForRows)
  const { data } = useTickets()
  const { toCome, rows } = heldDraws(data?.results ?? [], seen, useMinuteNow())
  useKeptRows(data === undefined ? null : rows.length)
  if (rows.length === 0) return null
  const isMore = data?.isMore === true && data.results.every(({ draw }) => draw.status !== 'DRAWN')
  return (
    <section className={styles['strip']} aria-labelledby="held-draws">
      <div className={styles['head']}>
        <h2 id="held-draws" className={styles['title']}>
          {toCome === 0 ? STRIP_TEXTS.drawn : STRIP_TEXTS.toCome(toCome, isMore)}
        </h2>
        <Link href={paths.tickets()}>{STRIP_TEXTS.all}</Link>
      </div>
      <ul className={styles['rows']}>
        {rows.slice(0, Math.max(room, 1)).map((held) => (
          <li key={`${held.gameKey}/${held.draw.number}`} data-game={held.gameKey}>
            {held.draw.status === 'DRAWN' ? <Result held={held} /> : <ToCome held={held} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The first page of the tickets, and more if it ends before the newest results; fetched again after a draw until its result is there. */
function useTickets(): { data: { results: readonly Ticket[]; isMore: boolean } | undefined } {
  const api = useApi()
  const query = ticketsQuery(api, 1)
  const { data: first } = useQuery(query)
  const isAwaiting = useClockValue(
    (now) => first?.results.some(({ draw }) => draw.end_at <= now && draw.status === 'LIVE') ?? false,
  )
  useQuery({ ...query, enabled: isAwaiting, refetchInterval: isAwaiting && AFTER_END_MS, notifyOnChangeProps: [] })
  const needsMore = first !== undefined && first.total_pages > 1 && isCutShort(first.results)
  const more = useQuery({
    queryKey: ['tickets', 'after-first-page'],
    queryFn: ({ signal }) => laterTickets(api, first?.results ?? [], signal),
    enabled: needsMore,
  })
  if (first === undefined || (needsMore && more.isPending)) return { data: undefined }
  const later = needsMore ? more.data : undefined
  return {
    data: {
      results: [...first.results, ...(later?.results ?? [])],
      isMore: later?.isMore ?? first.total_pages > 1,
    },
  }
}

/** The tickets of the pages after the first, as far as they matter. */
async function laterTickets(api: Api, first: readonly Ticket[], signal: AbortSignal) {
  const results: Ticket[] = []
  for (let page = 2; page <= MOST_PAGES; page += 1) {
    const answer = await api.call('getTickets', { query: { _page: page }, signal })
    results.push(...answer.results)
    if (page >= answer.total_pages) return { results, isMore: false }
    if (!isCutShort([...first, ...results])) break
  }
  return { results, isMore: true }
}

/** @returns rows that fit into the room the page keeps; a page that the player came to within the site can still grow */
function roomForRows(): number {
  const { held, session } = document.documentElement.dataset
  return held === undefined || session === undefined ? MOST_ROWS : Number(held)
}

/** Has room kept for this many rows when the page is shown again, here or after a reload. */
function useKeptRows(rows: number | null): void {
  useEffect(() => {
    if (rows === null) return
    rememberRows(rows)
    return () => {
      document.documentElement.dataset['held'] = String(rows)
    }
  }, [rows])
}

function ToCome({ held: { gameKey, draw, lines } }: { held: HeldDraw }) {
  const name = useGameName(gameKey)
  const { full } = useDrawTime(draw.start_at)
  const isDelayed = draw.status === 'POSTPONED'
  const canWatch = useClockValue((now) => now >= draw.start_at - WATCH_FROM) && !isDelayed
  return (
    <div className={styles['row']}>
      <GameBall gameKey={gameKey} />
      <p className={styles['words']}>
        <strong>{name}</strong>
        <span>
          {STRIP_TEXTS.lines(lines)} · {isDelayed ? STRIP_TEXTS.delayed : full}
        </span>
      </p>
      {canWatch && (
        <LinkButton href={paths.watch(gameKey)} size="small" variant="secondary" aria-label={STRIP_TEXTS.watchOf(name)}>
          {STRIP_TEXTS.watch}
        </LinkButton>
      )}
    </div>
  )
}

function Result({ held }: { held: HeldDraw }) {
  const { gameKey, draw } = held
  const name = useGameName(gameKey)
  const { money } = usePlayerView()
  const headline = winHeadline({
    sum: held.won === null ? null : money(held.won),
    freeTickets: held.freeTickets,
    bestMatches: 0,
    balls: draw.numbers.length,
  })
  return (
    <div className={styles['row']}>
      <GameBall gameKey={gameKey} />
      <p className={styles['words']}>
        <strong>
          {hasWon(held) ? STRIP_TEXTS.won(headline, name, draw.number) : STRIP_TEXTS.results(name, draw.number)}
        </strong>
      </p>
      <LinkButton
        href={paths.draw(gameKey, draw.number)}
        size="small"
        variant="secondary"
        aria-label={STRIP_TEXTS.seeOf(name, draw.number)}
        onClick={() => markSeen(gameKey, draw.number)}
      >
        {STRIP_TEXTS.see}
      </LinkButton>
    </div>
  )
}

function GameBall({ gameKey }: { gameKey: string }) {
  const pool = useGame(gameKey).data?.sets[0]?.N
  return (
    <span aria-hidden="true">
      <Ball number={pool} size={36} />
    </span>
  )
}
