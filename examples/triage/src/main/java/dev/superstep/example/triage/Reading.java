package dev.superstep.example.triage;

import dev.superstep.model.ChatReply.Source;
import java.util.List;

/// What came of one file.
sealed interface Reading {
  /// The model understood the message, as far as it does.
  ///
  /// @param risks why a person has to decide; empty if nobody has to
  /// @param model the URL of the model that said it
  /// @param source whether it said so just now
  record Classified(Heading heading, Triage triage, List<Risk> risks, String model, Source source)
      implements Reading {
    public Classified {
      risks = List.copyOf(risks);
    }
  }

  /// The model gave no answer of use; a person has to read the message.
  ///
  /// @param risks the rules that its words hit, for that person
  /// @param model the URL of the model that was asked
  record Unclear(Heading heading, String reason, List<Risk> risks, String model)
      implements Reading {
    public Unclear {
      risks = List.copyOf(risks);
    }
  }

  /// The file is no message.
  record Unread(String file, String reason) implements Reading {}
}
