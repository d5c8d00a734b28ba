package dev.superstep.message;

import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A source that a model names for what it says, such as a page that its vendor's search has found.
/// It comes from the vendor and is as little to be trusted as the text. It is part of the message,
/// is saved with it, and is sent to no vendor. Immutable.
///
/// @param url of the source; empty if it is a file of the vendor's
/// @param title of the source; may be empty
/// @param quoted the words of the source, where the vendor tells them; may be empty
public record Citation(String url, String title, String quoted) {
  /// The vendor of the seal of such a part. No vendor has this name.
  private static final String SEAL = "citation";

  /// The citations of a message, in their order.
  public static List<Citation> of(Message message) {
    var all = new ArrayList<Citation>();
    for (var part : message.content()) {
      if (part instanceof Content.Extension(var seal) && seal.vendor().equals(SEAL)) {
        read(seal.data()).ifPresent(all::add);
      }
    }
    return List.copyOf(all);
  }

  private static Optional<Citation> read(Json data) {
    try {
      return Optional.of(data.as(Citation.class));
    } catch (SuperstepException _) {
      return Optional.empty();
    }
  }

  /// The citation as a part of a message.
  public Content part() {
    return new Content.Extension(new Content.Seal(SEAL, Json.of(this)));
  }
}
