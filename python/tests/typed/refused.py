"""What a type checker must refuse: each line with "error" in its comment."""
# pyright: strict
from odim import ODIM

ODIM(memberz=3)  # error: no such parameter
ODIM(members="many")  # error: not a number
ODIM(method="kmn")  # error: not a method
ODIM().set_params(sed=1)  # error: no such parameter
ODIM().sed  # error: no such attribute
ODIM(3)  # error: parameters have names
ODIM().fit([[1.0]]).labels  # error: labels_
