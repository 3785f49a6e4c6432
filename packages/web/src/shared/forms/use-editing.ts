import { useState } from 'react'

/** A settings form is read-only until Edit is pressed; Save and Cancel end that (specification, section 4). */
export interface Editing {
  isEditing: boolean
  /** Something was saved since the last Edit. */
  hasSaved: boolean
  /** It was edited before: the focus goes back to the Edit button. */
  hasLeft: boolean
  edit: () => void
  cancel: () => void
  saved: () => void
}

type Stage = 'reading' | 'editing' | 'cancelled' | 'saved'

/** @returns the state of a settings form, and the moves between reading and editing */
export function useEditing(): Editing {
  const [stage, setStage] = useState<Stage>('reading')
  return {
    isEditing: stage === 'editing',
    hasSaved: stage === 'saved',
    hasLeft: stage === 'cancelled' || stage === 'saved',
    edit: () => setStage('editing'),
    cancel: () => setStage('cancelled'),
    saved: () => setStage('saved'),
  }
}
