import { GAMES } from '@fairball/domain/games'
import { useState } from 'react'
import { Avatar } from '../../../ui/avatar.tsx'
import { BallRow } from '../../../ui/ball-row.tsx'
import { Ball } from '../../../ui/ball.tsx'
import type { BallState } from '../../../ui/ball.tsx'
import { Button } from '../../../ui/button.tsx'
import { Row, Section, Specimen, Stack } from './specimen.tsx'
import styles from './balls.module.css'

const STATES: readonly BallState[] = ['empty', 'hidden', 'rolling', 'drawn', 'matched', 'unmatched']
const SIZES = [24, 36, 46, 48, 64, 92] as const
const LINE = [3, 8, 13, 27, 38, 49]

/** Balls in every state, size and game, rows of them, and the faces of players. */
export function Balls() {
  return (
    <Section id="balls">
      <Specimen name="States of a ball" of={['ball.tsx']}>
        {() =>
          STATES.map((state) => (
            <Row key={state} name={state}>
              {GAMES.map(({ key }) => (
                <Ball key={key} number={27} state={state} size={46} world={key} />
              ))}
            </Row>
          ))
        }
      </Specimen>
      <Specimen name="Sizes of a ball" of={['ball.tsx']}>
        {() => (
          <>
            {GAMES.map(({ key, name }) => (
              <Row key={key} name={name}>
                {SIZES.map((size) => (
                  <Ball key={size} number={49} size={size} world={key} />
                ))}
              </Row>
            ))}
            <Row name="As wide as its container">
              <span className={styles['fluid']}>
                <Ball number={7} size="fluid" />
              </span>
            </Row>
          </>
        )}
      </Specimen>
      <Specimen name="Balls on their own field" of={['ball.tsx']}>
        {() =>
          GAMES.map(({ key }) => (
            <div key={key} className={styles['field']} data-game={key}>
              {STATES.map((state) => (
                <Ball key={state} number={27} state={state} size={48} onField />
              ))}
            </div>
          ))
        }
      </Specimen>
      <Specimen name="Rows of balls" of={['ball-row.tsx']}>
        {() => (
          <Stack>
            <BallRow places={LINE} label="A line" />
            <BallRow places={LINE} label="A line beside the numbers drawn" matched={[3, 13, 49]} />
            <BallRow places={[27, 3, true, false, false, false]} label="A draw going on" size={64} />
            <BallRow places={[null, null, null, null, null, null]} label="An empty line" size={36} />
            <Drop />
          </Stack>
        )}
      </Specimen>
      <Specimen name="Avatars" of={['avatar.tsx']}>
        {() => (
          <>
            <Row>
              {GAMES.map(({ key }) => (
                <Avatar key={key} world={key} size={64} />
              ))}
            </Row>
            <Row>
              {GAMES.map(({ key }) => (
                <Avatar key={key} world={key} size={36} />
              ))}
            </Row>
          </>
        )}
      </Specimen>
    </Section>
  )
}

/** Numbers that have just been drawn fall in. */
function Drop() {
  const [count, setCount] = useState(0)
  return (
    <Stack>
      <BallRow key={count} places={LINE} label="Numbers just drawn" drop={count > 0} />
      <Row>
        <Button variant="soft" size="small" onClick={() => setCount(count + 1)}>
          Drop them in
        </Button>
      </Row>
    </Stack>
  )
}
