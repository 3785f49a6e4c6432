import type { Ticket } from '@fairball/contract/schemas/ticket'
import { ticketsQuery } from '../../shared/data/tickets.ts'
import { paths } from '../../shared/paths.ts'
import type { ScreenLoader } from '../../shared/screen.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { ListPages } from './components/list-pages.tsx'
import { TicketRow } from './components/ticket-row.tsx'
import { SETTINGS_TEXTS } from './messages.ts'
import styles from './my-tickets-screen.module.css'
import { useTickets } from './use-tickets.ts'

/** Asks for the tickets. */
export const load: ScreenLoader<{ page: number }> = ({ api, queryClient }, { page }) =>
  queryClient.prefetchQuery(ticketsQuery(api, page))

/** Every line the player holds, by draw, with its result and the way of its money. */
export function MyTicketsScreen({ page }: { page: number }) {
  return (
    <>
      <PageTitle>{SETTINGS_TEXTS.ticketsTitle}</PageTitle>
      <TicketList page={page} />
    </>
  )
}

function TicketList({ page }: { page: number }) {
  const tickets = useTickets(page)
  if (tickets.isPending) return <SkeletonRows rows={5} />
  if (tickets.isLoadingError) return <LoadFailed onRetry={() => void tickets.refetch()} />
  const { results, total_pages: totalPages } = tickets.data
  return (
    <>
      {results.length === 0 && <NoTickets isPastEnd={totalPages > 0} />}
      <Block title={SETTINGS_TEXTS.upcoming} tickets={results.filter((ticket) => !isOver(ticket))} />
      <Block title={SETTINGS_TEXTS.drawn} tickets={results.filter(isOver)} />
      <ListPages page={page} totalPages={totalPages} hrefOf={paths.tickets} label={SETTINGS_TEXTS.ticketsPages} />
    </>
  )
}

function isOver({ draw }: Ticket): boolean {
  return draw.status === 'DRAWN' || draw.status === 'VOID'
}

function Block({ title, tickets }: { title: string; tickets: readonly Ticket[] }) {
  if (tickets.length === 0) return null
  return (
    <section className={styles['block']}>
      {/* A browser reports by this name when it was painted (Element Timing). */}
      <h2 className={styles['title']} {...{ elementtiming: 'tickets' }}>
        {title}
      </h2>
      <ul className={styles['tickets']}>
        {tickets.map((ticket) => (
          <li key={ticket.play_id}>
            <TicketRow ticket={ticket} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** There is no ticket yet, or the address names a page after the last. */
function NoTickets({ isPastEnd }: { isPastEnd: boolean }) {
  return isPastEnd ? (
    <EmptyState
      text={SETTINGS_TEXTS.pagePastEnd}
      action={<LinkButton href={paths.tickets()}>{SETTINGS_TEXTS.toFirstPage}</LinkButton>}
    />
  ) : (
    <EmptyState
      text={SETTINGS_TEXTS.ticketsEmpty}
      action={<LinkButton href={paths.home()}>{SETTINGS_TEXTS.seeGames}</LinkButton>}
    />
  )
}
