package dev.superstep.language.rag;

import java.util.Locale;

/// The productions of the grammar, as `rag.ebnf` names them.
public enum Production {
  PROGRAM,
  GRAPH,
  ITEM,
  BLOCK,
  ALLOW,
  CHANNEL,
  CHANNEL_TYPE,
  CHANNEL_CUT,
  NODE,
  EDGE,
  JOIN,
  TRIGGER,
  POLICY,
  NAME,
  TARGET,
  TARGETS,
  NAMES,
  WORD,
  STRING,
  NUMBER,
  DURATION,
  STRINGS,
  OBJECT,
  ENTRY,
  LIST,
  TYPE,
  FIELDS,
  FIELD,
  PROMPT,
  ROUTER,
  ROUTES,
  ROUTE,
  SENDS,
  SEND,
  FAN_OUT,
  COMMAND,
  GOTO,
  UPDATE,
  STEERING,
  ACTOR,
  DELIVERY,
  ON_FAILURE,
  RATE,
  SOURCES,
  /// Tokens that belong to nothing; only where something is wrong.
  SKIPPED;

  /// The name in the grammar.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
