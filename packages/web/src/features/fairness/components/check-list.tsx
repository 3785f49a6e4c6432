import type { Findings } from '@fairball/domain/protocol/report'
import { Card } from '../../../ui/card.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { type GroupOfChecks, groupsOf } from '../check-groups.ts'
import { PROOF_TEXTS } from '../messages.ts'
import { OutcomeMark } from './outcome-mark.tsx'
import styles from './check-list.module.css'

/** The checks in groups that open; a failed group is open. Before there is a report, all of them wait. */
export function CheckList({ findings }: { findings: Findings | null }) {
  return (
    <Card title={PROOF_TEXTS.checkList} lead={PROOF_TEXTS.checkListLead}>
      <ol className={styles['steps']}>
        {groupsOf(findings ?? {}).map((group, index) => (
          <li key={group.name}>
            {findings === null ? (
              <Pending place={index + 1} group={group} />
            ) : (
              <Group place={index + 1} group={group} />
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}

function Pending({ place, group: { name } }: { place: number; group: GroupOfChecks }) {
  return (
    <div className={styles['pending']}>
      <h3>
        {place}. {PROOF_TEXTS.groups[name]}
      </h3>
      <OutcomeMark state="waiting" />
    </div>
  )
}

function Group({ place, group: { name, status, checks } }: { place: number; group: GroupOfChecks }) {
  return (
    <Disclosure
      level={3}
      startsOpen={status === 'fail' || status === 'broken'}
      title={
        <>
          {place}. {PROOF_TEXTS.groups[name]}
        </>
      }
      aside={<OutcomeMark state={status ?? 'unjudged'} />}
    >
      {checks.length === 0 && (
        <p className={styles['about']}>{name === 'papers' ? PROOF_TEXTS.noPapers : PROOF_TEXTS.notJudged}</p>
      )}
      <ul className={styles['checks']}>
        {checks.map(({ id, title, status: ended, why }) => (
          <li key={id}>
            <div className={styles['check']} data-status={ended}>
              <p className={styles['title']}>
                <span>{title}</span>
                <OutcomeMark state={ended} />
              </p>
              {why !== '' && <p className={styles['detail']}>{why}</p>}
              <p className={styles['id']}>{id}</p>
            </div>
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}
