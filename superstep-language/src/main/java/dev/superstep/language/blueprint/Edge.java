package dev.superstep.language.blueprint;

import java.util.List;

/// A line of a graph that says what follows what. Immutable.
public sealed interface Edge {
  /// The end of every path, as a target.
  String END = "END";

  /// The node that follows, or [#END].
  String to();

  /// An edge that is always followed.
  record Direct(String from, String to) implements Edge {
    public Direct {
      Literal.checkText(from);
      Literal.checkText(to);
    }
  }

  /// An edge that is followed once enough of its sources have finished.
  ///
  /// @param needs how many; 0 for all
  record Join(int needs, List<String> from, String to) implements Edge {
    public Join {
      from.forEach(Literal::checkText);
      Literal.checkText(to);
      from = List.copyOf(from);
    }
  }

  /// An edge that is followed once all of these channels hold a token.
  record Trigger(List<String> channels, String to) implements Edge {
    public Trigger {
      channels.forEach(Literal::checkText);
      Literal.checkText(to);
      channels = List.copyOf(channels);
    }
  }
}
