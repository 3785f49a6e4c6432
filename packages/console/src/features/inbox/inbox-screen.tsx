import { LinkTabs } from '@fairball/ui/link-tabs.tsx'
import { useRead } from '../../shared/api.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { usePageNumber, usePlace } from '../../shared/navigation.tsx'
import { paths } from '../../shared/paths.ts'
import { Part, Screen } from '../../shared/screen.tsx'
import { useMe } from '../../shared/session.ts'
import { useWaitsForMe } from '../../shared/waiting.ts'
import { RequestTable } from './request-table.tsx'

/** What waits for the signature of the person, what they proposed, and everything else that was asked for. */
export function InboxScreen() {
  const { query } = usePlace()
  const isAll = query['show'] === 'all'
  return (
    <Screen title="Inbox" lead="Requests that wait for a second person, and what became of the others.">
      <LinkTabs
        label="Requests"
        tabs={[
          { href: paths.inbox, name: 'Waiting', current: !isAll },
          { href: `${paths.inbox}?show=all`, name: 'All requests', current: isAll },
        ]}
      />
      {isAll ? <All /> : <Waiting />}
    </Screen>
  )
}

function Waiting() {
  const me = useMe()
  const waitsForMe = useWaitsForMe()
  const page = usePageNumber()
  const requests = useRead('listRequests', { query: { state: 'proposed', _page: page } }, { isRenewed: true })
  return (
    <Loaded of={requests}>
      {({ results, total_pages }) => {
        const forMe = results.filter(waitsForMe)
        const own = results.filter((request) => request.proposed_by?.id === me.id && !forMe.includes(request))
        const others = results.filter((request) => !own.includes(request) && !forMe.includes(request))
        return (
          <>
            <Part title="For you to approve">
              <RequestTable
                caption="Requests for you to approve"
                rows={forMe}
                empty="Nothing waits for you."
                totalPages={total_pages}
              />
            </Part>
            {own.length > 0 && (
              <Part title="Proposed by you">
                <RequestTable caption="Requests proposed by you" rows={own} empty="" />
              </Part>
            )}
            {others.length > 0 && (
              <Part title="For other people to approve">
                <RequestTable caption="Requests for other people to approve" rows={others} empty="" />
              </Part>
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function All() {
  const page = usePageNumber()
  const requests = useRead('listRequests', { query: { _page: page } })
  return (
    <Part title="All requests">
      <Loaded of={requests}>
        {({ results, total_pages }) => (
          <RequestTable
            caption="All requests"
            rows={results}
            empty="Nobody has asked for anything yet."
            totalPages={total_pages}
          />
        )}
      </Loaded>
    </Part>
  )
}
