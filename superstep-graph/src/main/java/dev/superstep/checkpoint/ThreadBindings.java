package dev.superstep.checkpoint;

import java.security.SecureRandom;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The families of the threads in a store: what is sealed for one of a family opens for no other. A
/// thread begins a family; forks and copies belong to that of their source.
///
/// A family is named by a random number, which the store keeps sealed for its thread, so that
/// nobody without the key can say to which family a thread belongs. Safe for many threads.
final class ThreadBindings {
  private static final int ID_BYTES = 16;
  private static final int KNOWN_MAX = 10_000;
  // Of a thread that holds nothing from before there were families.
  private static final String WHOLE = "whole ";
  private static final String MIXED = "mixed ";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final CheckpointerCapability.BindingStorage store;
  private final Seals seals;
  private final Map<String, Family> known =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Family> eldest) {
              return size() > KNOWN_MAX;
            }
          });

  ThreadBindings(CheckpointerCapability.BindingStorage store, Seals seals) {
    this.store = store;
    this.seals = seals;
  }

  /// The family to which the values of some threads are bound.
  ///
  /// @param isWhole whether all of its values are, so that nothing older is read
  record Family(String id, boolean isWhole) {
    static Family create(boolean isWhole) {
      var id = new byte[ID_BYTES];
      RANDOM.nextBytes(id);
      return new Family(HexFormat.of().formatHex(id), isWhole);
    }

    private static Family parse(String text) {
      return new Family(text.substring(WHOLE.length()), text.startsWith(WHOLE));
    }

    private String text() {
      return (isWhole ? WHOLE : MIXED) + id;
    }
  }

  /// Begins the family of a thread that has none. Of several tasks that write the first values of a
  /// thread at once, one does.
  synchronized Family begin(Lease lease) {
    return read(lease.thread())
        .orElseGet(() -> bind(lease, Family.create(store.binding(lease.thread()).isBare())));
  }

  /// The family of a thread as it was known last, if it has one.
  Optional<Family> find(String thread) {
    var family = known.get(thread);
    return family != null ? Optional.of(family) : read(thread);
  }

  /// The family of a thread as the store has it now.
  Optional<Family> read(String thread) {
    known.remove(thread);
    return store.binding(thread).value().map(seal -> remember(thread, opened(thread, seal)));
  }

  /// Lets a thread that has nothing yet belong to the family of another.
  void share(Lease lease, String source) {
    // Of a source without a family nothing is bound to one.
    bind(lease, read(source).orElseGet(() -> Family.create(false)));
  }

  Family bind(Lease lease, Family family) {
    var thread = lease.thread();
    var outer = store.binding(thread).value().map(ThreadBindings::rest).orElse("");
    store.bind(lease, seals.seal(family.text(), place(thread)) + outer);
    return remember(thread, family);
  }

  /// Returns the text that a checkpointer around the encryption stores with a thread.
  ThreadBinding outer(String thread) {
    var bound = store.binding(thread);
    var seal = bound.value().map(ThreadBindings::rest).orElse("");
    var value =
        seal.isEmpty()
            ? Optional.<String>empty()
            : Optional.of(seals.open(seal.substring(1), outerPlace(thread)));
    return new ThreadBinding(value, bound.isBare());
  }

  void bindOuter(Lease lease, String value) {
    var thread = lease.thread();
    var family = find(thread).orElseGet(() -> begin(lease));
    var outer = " " + seals.seal(value, outerPlace(thread));
    store.bind(lease, seals.seal(family.text(), place(thread)) + outer);
  }

  /// Returns the part after the seal of the family.
  private static String rest(String bound) {
    int space = bound.indexOf(' ');
    return space < 0 ? "" : bound.substring(space);
  }

  void forget(String thread) {
    known.remove(thread);
  }

  private Family remember(String thread, Family family) {
    known.put(thread, family);
    return family;
  }

  private Family opened(String thread, String bound) {
    var seal = bound.substring(0, bound.length() - rest(bound).length());
    return Family.parse(seals.open(seal, place(thread)));
  }

  private static SealedPlace outerPlace(String thread) {
    return SealedPlace.of("binding of thread", thread);
  }

  private static SealedPlace place(String thread) {
    return SealedPlace.of("family of thread", thread);
  }
}
