-- string.format.
--%%
return string.format('%d %5.1f %s %q %x %c %i %u', 3.9, 2, 5, 'a\nb', 255, 65, 3, 7)
--%%
return string.format('%s', nil)
--%%
return string.format('%s', {})
--%%
return string.format('%a', 1)
--%%
return string.format('%d', '12.7')
--%%
return string.format('%d', 2^63)
--%%
return string.format('%x', -1)
--%%
return string.format('%y', -1)
--%%
return string.format('%')
--%%
return string.format('%0000005d', 1)
--%%
return string.format('%123d', 1)
--%%
return string.format('%d')
--%%
return string.format('%5s|%-5s|%.2s', 'ab', 'cd', 'xyz')
--%%
return string.format('%q', 'a\0b\r"\\')
--%%
return string.format('%s', 1e15)
