import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { TextAreaField } from '@fairball/ui/field.tsx'
import { useApi } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { Failed } from '../../shared/failed.tsx'
import { Part } from '../../shared/screen.tsx'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import styles from './games.module.css'

type Preview = AnswerOf<'previewGames'>

/** The games file, to edit: the plan is shown first, and signed then. */
export function GameFile({ file }: { file: string }) {
  const api = useApi()
  const [text, setText] = useState(file)
  const preview = useMutation({ mutationFn: () => api.call('previewGames', { body: { file: text } }) })
  const change = (next: string) => {
    setText(next)
    preview.reset()
  }
  return (
    <Part title="Change the games">
      <TextAreaField
        label="The games file"
        hint="JSON, as operator games-export writes it. Nothing happens before the plan is signed."
        rows={16}
        value={text}
        onChange={change}
      />
      <div className={styles['buttons']}>
        <Button size="small" disabled={text === file} busy={preview.isPending} onClick={() => preview.mutate()}>
          Show the plan
        </Button>
        <Button size="small" variant="soft" disabled={text === file} onClick={() => change(file)}>
          Take it back
        </Button>
        {text === file && <span className={styles['note']}>Edit the file to see a plan.</span>}
      </div>
      <Failed error={preview.error} />
      {preview.data !== undefined && <Plan preview={preview.data} file={text} />}
    </Part>
  )
}

function Plan({ preview: { plan, problems }, file }: { preview: Preview; file: string }) {
  if (problems.length > 0)
    return (
      <Banner kind="danger">
        <ul>
          {problems.map(({ path, text }) => (
            <li key={`${path} ${text}`}>
              {path}: {text}
            </li>
          ))}
        </ul>
      </Banner>
    )
  if (plan.length === 0) return <Banner kind="info">This file changes nothing.</Banner>
  return (
    <>
      <ul className={styles['plan']}>
        {plan.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div>
        <ActionButton kind="games.apply" args={{ file }} variant="primary">
          Propose this plan
        </ActionButton>
      </div>
    </>
  )
}
