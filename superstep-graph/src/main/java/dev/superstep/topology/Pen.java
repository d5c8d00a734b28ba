package dev.superstep.topology;

/// The parts of a chart language that a [Drawing] needs. Ids are letters, digits and `_`; labels
/// are on one line, and may contain every other character.
interface Pen {
  /// The look of an arrow.
  enum Line {
    SOLID,
    DOTTED,
    THICK
  }

  /// The end of an arrow.
  ///
  /// @param graph whether it is a box with a subgraph
  record Spot(String id, boolean graph) {}

  /// Where a graph begins or ends.
  void terminal(String id, String label);

  /// A node that is no graph.
  ///
  /// @param sent whether it needs an argument
  void node(String id, String label, boolean sent);

  /// Opens a box for a subgraph.
  void open(String id, String label);

  /// Closes the box that was opened last.
  void close();

  /// A channel that triggers.
  void data(String id, String label);

  /// Where the arrows of a join meet.
  void meeting(String id, String how);

  /// A name that an edge uses, and nothing bears.
  void unknown(String id, String label);

  /// An arrow.
  ///
  /// @param word one of ours, or empty
  void arrow(Spot from, Spot to, Line line, String word);

  /// Draws an arrow that is followed if a router returns the label.
  void choice(Spot from, Spot to, String label);
}
