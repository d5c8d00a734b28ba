
find_home
# This script is in bin.
home=${home%/bin}
case $home in
  *:*) fail "the folder $home has a colon in its path, which no Java class path can hold. Move it elsewhere." ;;
esac

java_home=$home/lib/runtime
built=$home/lib
native=$home/lib/native
aot=$home/lib/superstep.aot
examples=

jvm_flags
say_version "$home/lib/version.txt" "$@"
start_program "$@"
