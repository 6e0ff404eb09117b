module foretell

go 1.19
