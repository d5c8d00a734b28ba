package dev.superstep.state;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A list of what another codec stores.
record ListCodec<T>(Codec<T> item) implements Codec<List<T>> {
  private static final Codec<List<Json>> JSON = Codec.listOf(Json.class);

  @Override
  public Json encode(List<T> value) {
    return JSON.encode(value.stream().map(item::encode).toList());
  }

  @Override
  public List<T> decode(Json json) {
    var values = new ArrayList<T>();
    for (var element : JSON.decode(json)) values.add(item.decode(element));
    return values;
  }

  @Override
  public Optional<Type> javaType() {
    return item.javaType()
        .flatMap(type ->
            type instanceof Class<?> plain ? Codec.listOf(plain).javaType() : Optional.empty());
  }

  @Override
  public String type() {
    return "list<" + item.type() + ">";
  }

  @Override
  public String shape() {
    return item.shape();
  }
}
