/** The words every form of the settings has in common. Sentences of the specification are unchanged. */
export const FORM_TEXTS = {
  edit: 'Edit',
  save: 'Save',
  cancel: 'Cancel',
  saved: 'Your changes have been saved.',
  checkFields: 'Please check the fields below and make sure all the required data are filled in.',
  password: 'Password',
  passwordHint: 'Your account password, to confirm it’s you.',
  code: 'Authenticator code',
  codeHint: 'The six digits your authenticator app shows now.',
} as const
