package dev.superstep.terminal;

/// A way in which a model's reply is not what was asked for. Sent back to the model once, and named
/// in the error if the next reply is no better.
///
/// @param message a sentence that says what to change
record FormProblem(Code code, String message) {
  /// The names of problems.
  enum Code {
    /// The reply is not one JSON object and nothing else.
    NOT_JSON,
    /// A field is missing, unknown or of another type.
    WRONG_FIELDS,
    /// The plan has no step.
    NO_STEPS,
    /// The plan has too many steps.
    TOO_MANY_STEPS,
    /// A step says too little.
    TOO_FEW_WORDS,
    /// A step says too much.
    TOO_MANY_WORDS,
    /// A step does not begin with a verb that tells what to do.
    NOT_IMPERATIVE,
    /// A text holds control or invisible characters.
    UNPRINTABLE,
    /// There is neither a command, nor a question, nor the word that the step is done.
    NOTHING_PROPOSED,
    /// A question comes together with commands.
    QUESTION_AND_COMMANDS,
    /// There are too many commands or options.
    TOO_MANY,
    /// A command is empty or too long.
    COMMAND_LENGTH,
    /// A line break ends one command and begins another.
    LINE_BREAK
  }
}
