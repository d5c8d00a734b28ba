package dev.superstep.repl.internal.value;

/// Everything that a script can hold. A closed set: no object of the host is among them. A class
/// and not an interface because the interpreter casts to it all the time.
public abstract sealed class Value
    permits None,
        Bool,
        Int,
        BigInt,
        Real,
        Str,
        ListValue,
        TupleValue,
        DictValue,
        SetValue,
        RangeValue,
        SliceValue,
        TextValue,
        HandleValue,
        ResultValue,
        ErrorValue,
        ModuleValue,
        PatternValue,
        MatchValue,
        Callable,
        Iter,
        ViewValue,
        CellValue {
  /// The bytes that a place for a value counts for; with room for a small number in it.
  public static final int PLACE = 24;

  /// The bytes that a place counts for whose value is somewhere else too.
  public static final int COPIED = 8;

  /// The name of the type that the script sees.
  public abstract String typeName();
}
