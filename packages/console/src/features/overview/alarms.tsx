import type { AnswerOf } from '../../shared/calls.ts'
import { NextStep, Runbook } from '../../shared/check-list.tsx'
import { Moment } from '../../shared/moment.tsx'
import { Nothing, Part } from '../../shared/screen.tsx'
import { LaterActionButton } from '../../shared/signing/later-action-button.tsx'
import { State } from '../../shared/state.tsx'
import styles from './overview.module.css'

/** What is wrong now, with the way to its remedy. */
export function Alarms({ alarms }: { alarms: AnswerOf<'getOverview'>['alarms'] }) {
  return (
    <Part title="Alarms">
      {alarms.length === 0 ? (
        <Nothing>There are none.</Nothing>
      ) : (
        <ul className={styles['alarms']}>
          {alarms.map(({ id, severity, text, since, runbook, acknowledged_by }) => (
            <li key={id} className={styles['alarm']}>
              <State mood={severity === 'page' ? 'bad' : 'waiting'}>
                {severity === 'page' ? 'Urgent' : 'Look at it'}
              </State>
              <span className={styles['words']}>
                <strong>{text}</strong>{' '}
                <span className={styles['since']}>
                  since <Moment at={since} />
                </span>{' '}
                <NextStep check={id.replace(/^check:/u, '')} /> <Runbook anchor={runbook} />
              </span>
              {acknowledged_by === null ? (
                <LaterActionButton kind="alarms.acknowledge" args={{ alarm: id }} label={`Acknowledge: ${text}`}>
                  Acknowledge
                </LaterActionButton>
              ) : (
                <span className={styles['since']}>{acknowledged_by.name} has seen it</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}
