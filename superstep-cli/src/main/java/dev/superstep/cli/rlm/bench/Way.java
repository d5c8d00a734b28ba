package dev.superstep.cli.rlm.bench;

import java.util.List;

/// The ways in which a question about a text is answered.
enum Way {
  /// The model reads the text itself.
  DIRECT("direct"),
  /// A session whose programs can ask no model.
  DEPTH_0("depth 0"),
  /// Programs that ask a model.
  DEPTH_1("depth 1"),
  /// Programs that begin sessions inside.
  DEPTH_2("depth 2"),
  /// Programs of the functions whose number of calls is known before.
  COMBINATORS("combinators"),
  /// The simulation only: 100 lines for each call.
  CHUNKS_100("chunks of 100"),
  /// The simulation only: 1,000 lines for each call.
  CHUNKS_1000("chunks of 1000");

  static final List<Way> ALL = List.of(DIRECT, DEPTH_0, DEPTH_1, DEPTH_2, COMBINATORS);
  static final List<Way> OF_SIMULATION = List.of(DIRECT, CHUNKS_1000, CHUNKS_100, COMBINATORS);

  private final String title;

  Way(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /// The sessions inside of sessions that it may have.
  int depth() {
    return this == DEPTH_2 ? 1 : 0;
  }

  boolean asks() {
    return this != DIRECT && this != DEPTH_0;
  }
}
