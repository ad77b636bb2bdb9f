# Sizes of vocabularies become 512: the only dimensions of models that are so large. 32064 is a quarter of 128256, on each of four devices.
# Twice each: a size that shares its delimiter with the one before it is met the second time.
s/(^|[^0-9])(32000|51200|128256|131072|151665|151936|152064|256000)([^0-9]|$)/\1512\3/g
s/(^|[^0-9])(32000|51200|128256|131072|151665|151936|152064|256000)([^0-9]|$)/\1512\3/g
s/(^|[^0-9])32064([^0-9]|$)/\1128\2/g
s/(^|[^0-9])32064([^0-9]|$)/\1128\2/g
