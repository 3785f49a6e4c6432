/** The words of the band about checking a draw. */
export const BAND_TEXTS = {
  title: 'How you can check it',
  toFairness: 'How fairness works here',
  check: 'Check it now in your browser',
  again: 'Check again',
  checking: 'Checking this draw',
  toProof: 'See the proof',
  matches: 'It matches.',
  partly: 'Nothing failed, but not everything could be checked here.',
  failed: 'It does not match.',
  broken: 'This record is incomplete or damaged. That accuses no one.',
  notYet: 'Not drawn yet.',
  notLoaded: 'Couldn’t load the records. That says nothing about the draw.',
  notRun: 'This browser could not run the check. That says nothing about the draw.',
} as const
