package dev.superstep.store;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The meaning of a text: its vector, and who made it. For those who write a store. Immutable.
public final class Meaning {
  private final String embedder;
  private final float[] vector;
  private final double length;

  private Meaning(String embedder, float[] vector) {
    this.embedder = embedder;
    this.vector = vector;
    this.length = Math.sqrt(product(vector, vector));
  }

  /// Returns the meanings of values to put, in their order; absent for a value without text, and
  /// for all if there is no embedder.
  ///
  /// @throws BadEmbedding if the embedder gives something else than it should
  public static List<Optional<Meaning>> of(List<Put> puts, StoreOptions options) {
    var none = new ArrayList<>(Collections.nCopies(puts.size(), Optional.<Meaning>empty()));
    if (options.embedder().isEmpty()) return none;
    var texts = new ArrayList<String>();
    var places = new ArrayList<Integer>();
    for (int i = 0; i < puts.size(); i++) {
      var text = puts.get(i).text();
      if (text.isEmpty()) continue;
      texts.add(text);
      places.add(i);
    }
    var meanings = all(texts, options.embedder().get());
    for (int i = 0; i < meanings.size(); i++) {
      none.set(places.get(i), Optional.of(meanings.get(i)));
    }
    return none;
  }

  /// The meaning that a search looks for; absent if it has no query.
  ///
  /// @throws NoEmbedder if there is a query and no embedder
  public static Optional<Meaning> of(Search search, StoreOptions options) {
    if (search.query().isEmpty()) return Optional.empty();
    var query = search.query().get();
    var embedder = options.embedder().orElseThrow(() -> new NoEmbedder(query));
    return Optional.of(checked(List.of(embedder.embedQuery(query)), 1, embedder).getFirst());
  }

  /// Decodes a stored meaning.
  public static Meaning of(String embedder, byte[] numbers) {
    var vector = new float[numbers.length / Float.BYTES];
    ByteBuffer.wrap(numbers).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(vector);
    return new Meaning(embedder, vector);
  }

  /// The id of the embedder.
  public String embedder() {
    return embedder;
  }

  /// The vector as 32-bit floats, the lowest byte first.
  public byte[] numbers() {
    var numbers = ByteBuffer.allocate(vector.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    numbers.asFloatBuffer().put(vector);
    return numbers.array();
  }

  boolean isComparable(Meaning other) {
    return embedder.equals(other.embedder) && vector.length == other.vector.length;
  }

  /// The cosine of the angle between them.
  double nearness(Meaning other) {
    return Math.clamp(product(vector, other.vector) / (length * other.length), -1.0, 1.0);
  }

  private static List<Meaning> all(List<String> texts, Embedder embedder) {
    if (texts.isEmpty()) return List.of();
    return checked(embedder.embedAll(texts), texts.size(), embedder);
  }

  private static List<Meaning> checked(List<float[]> vectors, int texts, Embedder embedder) {
    if (vectors.size() != texts) {
      throw new BadEmbedding(
          embedder.id(), "gave %d vectors for %d texts".formatted(vectors.size(), texts));
    }
    var meanings = new ArrayList<Meaning>();
    for (var vector : vectors) {
      var problem = problem(vector, embedder);
      if (problem != null) throw new BadEmbedding(embedder.id(), problem);
      meanings.add(new Meaning(embedder.id(), vector.clone()));
    }
    return meanings;
  }

  private static @Nullable String problem(float[] vector, Embedder embedder) {
    if (vector.length != embedder.dimension()) {
      return "gave a vector of %d numbers instead of %d"
          .formatted(vector.length, embedder.dimension());
    }
    double square = product(vector, vector);
    if (!Double.isFinite(square)) return "gave a vector with a number that is not finite";
    return square == 0 ? "gave a vector of zeros, which has no direction" : null;
  }

  private static double product(float[] one, float[] other) {
    double sum = 0;
    for (int i = 0; i < one.length; i++) sum += (double) one[i] * other[i];
    return sum;
  }

  @Override
  public String toString() {
    return "Meaning[" + embedder + ", " + vector.length + " numbers]";
  }
}
