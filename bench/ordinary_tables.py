"""Ordinary tables with planted errors, as texts: the tables that bench/ordinary.py measures.

Each table is a function of a random generator. It returns the names of the columns, the clean rows, and a list
of errors: (kind, columns that are wrong, whether anyone would see it, a function that spoils a row). A row gets
at most one error. Tables with an even place in TABLES are for choosing rules, the others for looking once.
"""

import datetime
import math

DAY = datetime.timedelta(days=1)


def money(v):
    return f"{v:.2f}"


def iso(d):
    return d.isoformat()


def pick(r, weights):
    return r.choices(list(weights), list(weights.values()))[0]


def put(**cells):
    """An error that sets cells: a text, or a function of the row as a dict."""

    def spoil(row):
        new = {k: v(row) if callable(v) else v for k, v in cells.items()}
        row.update(new)

    return spoil


def err(kind, columns, spoil, obvious=True):
    return kind, columns.split("+"), obvious, spoil


# ---- money ----


def invoices(r):
    names = "invoice,date,due,customer,net,vat_rate,vat,gross".split(",")
    rows, day = [], datetime.date(2024, 1, 2)
    for i in range(320):
        day += DAY * r.choice([0, 1, 1, 2])
        net = round(math.exp(r.gauss(6, 0.9)), 2)
        rate = pick(r, {19: 8, 7: 2})
        vat = round(net * rate / 100, 2)
        rows.append([f"R{24000 + i}", iso(day), iso(day + 14 * DAY), f"C{r.randint(1, 40):03d}", money(net), str(rate),
                     money(vat), money(net + vat)])
    n = lambda x: float(x["net"])
    return names, rows, [
        err("total", "gross", put(gross=lambda x: money(float(x["gross"]) * 0.9))),
        err("total", "vat+gross", put(vat=lambda x: money(n(x) * 0.25), gross=lambda x: money(n(x) * 1.25)), False),
        err("total", "gross", put(gross=lambda x: money(n(x)))),
        err("sign", "net", put(net=lambda x: "-" + x["net"])),
        err("decimal point", "net", put(net=lambda x: money(n(x) * 100))),
        err("year", "date", put(date=lambda x: "2204" + x["date"][4:])),
        err("order of dates", "due+date", put(due=lambda x: iso(datetime.date.fromisoformat(x["date"]) - 30 * DAY))),
        err("code", "vat_rate", put(vat_rate="190")),
    ]


def order_lines(r):
    names = "order_id,sku,quantity,unit_price,discount,total,order_date,ship_date".split(",")
    skus = {f"SKU-{k:04d}": round(math.exp(r.gauss(3, 1)), 2) for k in range(101, 131)}
    rows = []
    for i in range(600):
        sku = r.choice(list(skus))
        q, p = 1 + int(r.expovariate(0.6)), skus[sku]
        d = pick(r, {0: 6, 0.05: 2, 0.1: 2, 0.15: 1, 0.2: 1})
        day = datetime.date(2024, 1, 1) + DAY * int(i / 2)
        rows.append([str(5000 + i), sku, str(q), money(p), str(d), money(q * p * (1 - d)), iso(day),
                     iso(day + DAY * r.choice([0, 1, 1, 2, 2, 3, 4, 6]))])
    t = lambda x: float(x["total"])
    return names, rows, [
        err("total", "total", put(total=lambda x: money(t(x) * 1.3 + 5)), ),
        err("total", "total", put(total=lambda x: money(t(x) * 0.5))),
        err("total", "discount+total", put(discount="0.5"), ),
        err("order of dates", "ship_date+order_date", put(ship_date=lambda x: iso(datetime.date.fromisoformat(x["order_date"]) - 9 * DAY))),
        err("year", "order_date", put(order_date=lambda x: "2042" + x["order_date"][4:])),
        err("factor", "unit_price", put(unit_price=lambda x: money(float(x["unit_price"]) * 1000))),
        err("sign", "quantity", put(quantity=lambda x: "-" + x["quantity"])),
        err("placeholder", "quantity", put(quantity="9999")),
        err("percent", "discount", put(discount="15")),
        err("pattern", "sku", put(sku="SKU-12"), False),
    ]


def bank(r):
    names = "booking,date,account,type,amount,balance".split(",")
    rows, balance, day = [], 2400.0, datetime.date(2023, 1, 1)
    for i in range(500):
        kind = pick(r, {"card": 12, "transfer": 4, "debit": 5, "salary": 1})
        a = {"card": -abs(r.gauss(32, 18)) - 1, "transfer": r.gauss(0, 150), "debit": -abs(r.gauss(60, 20)),
             "salary": r.gauss(1450, 40)}[kind]
        a = round(a, 2)
        balance = round(balance + a, 2)
        day += DAY * r.choice([0, 0, 1, 1, 2])
        rows.append([str(i + 1), iso(day), "DE" + f"{r.choice([33, 47, 81]):02d}0012", kind, money(a), money(balance)])
    return names, rows, [
        err("decimal point", "amount", put(amount=lambda x: money(float(x["amount"]) * 1000))),
        err("typo", "type", put(type="tranfser")),
        err("year", "date", put(date="1900-01-01")),
        err("placeholder", "amount", put(amount="99999.99")),
        err("trailing space", "type", put(type="card "), False),
        err("factor", "balance", put(balance=lambda x: money(float(x["balance"]) * 10))),
    ]


def payroll(r):
    names = "employee,department,grade,hours,rate,gross,tax,net,hired".split(",")
    base = {1: 14, 2: 18, 3: 24, 4: 33}
    rows = []
    for i in range(280):
        g = pick(r, {1: 4, 2: 4, 3: 3, 4: 1})
        hours, rate = round(r.gauss(160, 9)), round(base[g] * r.gauss(1, 0.06), 2)
        gross = round(hours * rate, 2)
        tax = round(gross * (0.18 + 0.03 * g), 2)
        rows.append([f"E{1000 + i}", pick(r, {"Sales": 3, "Support": 4, "Production": 6, "Finance": 2}), str(g), str(hours),
                     money(rate), money(gross), money(tax), money(gross - tax),
                     iso(datetime.date(2009, 1, 5) + DAY * r.randint(0, 5400))])
    f = lambda x, k: float(x[k])
    return names, rows, [
        err("total", "net", put(net=lambda x: money(f(x, "net") + 400))),
        err("total", "gross", put(gross=lambda x: money(f(x, "gross") * 2)), ),
        err("total", "hours", put(hours=lambda x: str(int(x["hours"]) - 60)), ),
        err("factor", "rate", put(rate=lambda x: money(f(x, "rate") * 100))),
        err("placeholder", "hours", put(hours="-999")),
        err("typo", "department", put(department="Prodution")),
        err("year", "hired", put(hired=lambda x: "2206" + x["hired"][4:])),
        err("code", "grade", put(grade="33")),
    ]


def loans(r):
    names = "loan,amount,rate,months,payment,start,end".split(",")
    rows = []
    for i in range(240):
        amount, rate, months = 500 * r.randint(4, 80), r.choice([2.9, 3.4, 3.9, 4.5, 5.9, 6.9]), r.choice([12, 24, 36, 48, 60, 72])
        m = rate / 1200
        day = datetime.date(2021, 1, 1) + DAY * r.randint(0, 900)
        end = datetime.date(day.year + (day.month - 1 + months) // 12, (day.month - 1 + months) % 12 + 1, min(day.day, 28))
        rows.append([f"L-{i + 1:05d}", str(amount), str(rate), str(months), money(amount * m / (1 - (1 + m) ** -months)), iso(day),
                     iso(end)])
    return names, rows, [
        err("total", "payment+amount+months", put(payment=lambda x: money(float(x["payment"]) * 2.2))),
        err("total", "amount+payment", put(amount=lambda x: str(int(x["amount"]) * 10))),
        err("order of dates", "end+start", put(end=lambda x: iso(datetime.date.fromisoformat(x["start"]) - 200 * DAY))),
        err("percent", "rate", put(rate="390")),
        err("sign", "rate", put(rate="-3.9")),
        err("code", "months", put(months="360")),
    ]


def real_estate(r):
    names = "listing,zip,rooms,area_m2,year_built,price,price_per_m2".split(",")
    zips = ["02139", "02140", "02141", "02138", "02446", "10115", "02115"]
    rows = []
    for i in range(260):
        area = round(math.exp(r.gauss(4.4, 0.35)))
        per = r.gauss(5200, 700)
        price = round(area * per, -2)
        rows.append([str(i + 1), r.choice(zips), str(max(1, round(area / 26 + r.gauss(0, 0.4)))), str(area),
                     str(r.randint(1925, 2021)), f"{price:.0f}", f"{price / area:.0f}"])
    return names, rows, [
        err("pattern", "zip", put(zip=lambda x: x["zip"][:4])),
        err("pattern", "zip", put(zip="O2139")),
        err("factor", "price", put(price=lambda x: x["price"] + "00")),
        err("digits", "year_built", put(year_built="1091")),
        err("year", "year_built", put(year_built="2201")),
        err("unit", "area_m2", put(area_m2=lambda x: str(round(float(x["area_m2"]) * 10.76)))),
        err("sign", "rooms", put(rooms="-3")),
        err("total", "price_per_m2", put(price_per_m2=lambda x: str(round(float(x["price_per_m2"]) * 0.6))), False),
    ]


# ---- people ----


def patients(r):
    names = "patient_id,sex,age,height_cm,weight_kg,bmi,systolic,diastolic,temp_c,smoker".split(",")
    rows = []
    for i in range(350):
        sex = r.choice("MF")
        h = r.gauss(178 if sex == "M" else 165, 7)
        bmi = math.exp(r.gauss(3.22, 0.14))
        w = bmi * h * h / 1e4
        s = r.gauss(126, 14)
        rows.append([f"P{i + 1:04d}", sex, str(r.randint(18, 91)), f"{h:.0f}", f"{w:.1f}", f"{w / round(h) ** 2 * 1e4:.1f}", f"{s:.0f}",
                     f"{s * 0.55 + r.gauss(12, 5):.0f}", f"{r.gauss(36.8, 0.35):.1f}", pick(r, {"no": 4, "yes": 1})])
    return names, rows, [
        err("sign", "age", put(age="-34")),
        err("placeholder", "age", put(age="999")),
        err("unit", "height_cm+bmi", put(height_cm="1.75")),
        err("decimal point", "temp_c", put(temp_c="368")),
        err("unit", "temp_c", put(temp_c="98.4")),
        err("swapped", "systolic+diastolic", lambda x: x.update(systolic=x["diastolic"], diastolic=x["systolic"])),
        err("total", "bmi+weight_kg+height_cm", put(bmi=lambda x: f"{float(x['bmi']) + 9:.1f}")),
        err("unit", "weight_kg", put(weight_kg=lambda x: f"{float(x['weight_kg']) * 1000:.0f}")),
        err("typo", "sex", put(sex="W")),
    ]


def survey(r):
    names = "respondent,country,age,q1,q2,q3,q4,minutes,submitted".split(",")
    rows = []
    for i in range(450):
        mood = r.gauss(3.4, 0.7)
        q = [str(min(5, max(1, round(mood + r.gauss(0, 0.8))))) for _ in range(4)]
        rows.append([f"{i + 1:05d}", pick(r, {"Germany": 5, "France": 4, "Spain": 3, "Italy": 3, "Poland": 2}), str(r.randint(16, 80)), *q,
                     f"{math.exp(r.gauss(2, 0.4)):.1f}", iso(datetime.date(2024, 4, 1) + DAY * r.randint(0, 40))])
    return names, rows, [
        err("code", "q1", put(q1="55")),
        err("code", "q3", put(q3="-1")),
        err("code", "q2", put(q2="7")),
        err("typo", "country", put(country="Gemany")),
        err("placeholder", "age", put(age="999")),
        err("year", "submitted", put(submitted="2204-04-12")),
        err("sign", "minutes", put(minutes="-8.1")),
    ]


def grades(r):
    names = "student,class,math,physics,english,average,absent_days".split(",")
    rows = []
    for i in range(160):
        level = r.gauss(72, 10)
        g = [min(100, max(20, round(level + r.gauss(0, 7)))) for _ in range(3)]
        rows.append([f"S{i + 1:03d}", r.choice(["10a", "10b", "10c", "10d"]), *map(str, g), f"{sum(g) / 3:.1f}", str(int(r.expovariate(0.3)))])
    return names, rows, [
        err("percent", "math", put(math="785")),
        err("percent", "english", put(english="170")),
        err("total", "average", put(average=lambda x: f"{float(x['average']) - 20:.1f}")),
        err("sign", "physics", put(physics="-64")),
        err("typo", "class", put(**{"class": "10bb"})),
        err("placeholder", "absent_days", put(absent_days="999")),
    ]


def phone_list(r):
    names = "name,city,zip,phone,joined,fee".split(",")
    cities = {"Boston": "02108", "Hartford": "06103", "Newark": "07102", "Providence": "02903", "Albany": "12207"}
    first = ["Ana", "Ben", "Cara", "Dan", "Eva", "Finn", "Gus", "Hana", "Ida", "Jon", "Kim", "Lea", "Max", "Nia", "Otto"]
    last = ["Adler", "Brown", "Costa", "Diaz", "Evans", "Fox", "Gray", "Hill", "Ito", "Jones", "King", "Lopez", "Moss"]
    rows = []
    for i in range(220):
        city = pick(r, {c: 5 - k for k, c in enumerate(cities)})
        rows.append([f"{r.choice(first)} {r.choice(last)}", city, cities[city], f"0{r.randint(200, 299)}-{r.randint(1000000, 9999999)}",
                     iso(datetime.date(2018, 1, 1) + DAY * r.randint(0, 2200)), r.choice(["25.00", "40.00", "60.00"])])
    return names, rows, [
        err("pattern", "zip", put(zip=lambda x: x["zip"][1:])),
        err("pattern", "phone", put(phone="0213-55")),
        err("typo", "city", put(city="Bostn")),
        err("factor", "fee", put(fee="4000.00")),
        err("year", "joined", put(joined="1900-01-01")),
        err("trailing space", "city", put(city="Newark "), False),
    ]


def gym(r):
    names = "member_no,sex,birth,joined,plan,visits,weight_kg,fee".split(",")
    fee = {"basic": 19.9, "plus": 29.9, "pro": 49.9}
    rows = []
    for i in range(300):
        plan = pick(r, {"basic": 5, "plus": 3, "pro": 1})
        sex = r.choice(["male", "female"])
        rows.append([f"{100234 + 17 * i:08d}", sex, iso(datetime.date(1955, 1, 1) + DAY * r.randint(0, 18000)),
                     iso(datetime.date(2020, 1, 1) + DAY * r.randint(0, 1500)), plan, str(int(r.expovariate(0.12))),
                     f"{r.gauss(83 if sex == 'male' else 68, 10):.1f}", money(fee[plan])])
    return names, rows, [
        err("year", "birth", put(birth="1875-03-02")),
        err("order of dates", "birth+joined", put(birth="2023-11-05"), ),
        err("unit", "weight_kg", put(weight_kg=lambda x: f"{float(x['weight_kg']) * 1000:.0f}")),
        err("contradiction", "fee+plan", lambda x: x.update(plan="pro", fee="19.90")),
        err("factor", "fee", put(fee="1990.00")),
        err("typo", "plan", put(plan="basc")),
        err("sign", "visits", put(visits="-4")),
        err("duplicate id", "member_no", put(member_no="00100234"), False),
    ]


def hr_leave(r):
    names = "case,employee,type,first_day,last_day,days".split(",")
    rows = []
    for i in range(300):
        d = datetime.date(2023, 1, 2) + DAY * r.randint(0, 600)
        n = pick(r, {1: 5, 2: 4, 3: 3, 5: 4, 10: 2, 15: 1})
        rows.append([str(7001 + i), f"E{r.randint(1, 60):03d}", pick(r, {"vacation": 6, "sick": 4, "parental": 1}), iso(d), iso(d + DAY * (n - 1)),
                     str(n)])
    return names, rows, [
        err("total", "days+last_day", put(days=lambda x: str(int(x["days"]) + 6))),
        err("order of dates", "last_day+first_day", put(last_day=lambda x: iso(datetime.date.fromisoformat(x["first_day"]) - 20 * DAY))),
        err("placeholder", "days", put(days="999")),
        err("typo", "type", put(type="vaction")),
        err("year", "first_day", put(first_day=lambda x: "2032" + x["first_day"][4:])),
    ]


# ---- things ----


def inventory(r):
    names = "article,warehouse,in_stock,reorder_level,unit_cost,value,last_count".split(",")
    rows = []
    for i in range(360):
        n, c = int(math.exp(r.gauss(4, 0.8))), round(math.exp(r.gauss(1.8, 0.9)), 2)
        rows.append([f"A-{r.randint(1000, 9999)}", r.choice(["North", "South", "West"]), str(n), str(5 * r.randint(2, 10)), money(c), money(n * c),
                     iso(datetime.date(2024, 5, 1) + DAY * r.randint(0, 60))])
    return names, rows, [
        err("total", "value", put(value=lambda x: money(float(x["value"]) * 1.5))),
        err("total", "in_stock", put(in_stock=lambda x: str(int(x["in_stock"]) + 70))),
        err("sign", "in_stock", put(in_stock=lambda x: "-" + x["in_stock"])),
        err("factor", "unit_cost", put(unit_cost=lambda x: money(float(x["unit_cost"]) * 1000))),
        err("typo", "warehouse", put(warehouse="Nroth")),
        err("placeholder", "reorder_level", put(reorder_level="9999")),
        err("year", "last_count", put(last_count="1970-01-01")),
    ]


def parcels(r):
    names = "tracking,postcode,weight_g,length_cm,width_cm,price,sent,delivered".split(",")
    codes = [f"{r.randint(1000, 9999):05d}" if r.random() < 0.3 else str(r.randint(10000, 99999)) for _ in range(60)]
    rows = []
    for i in range(400):
        w = round(math.exp(r.gauss(7, 0.7)))
        d = datetime.date(2024, 2, 1) + DAY * r.randint(0, 80)
        rows.append([f"{340001234 + 7919 * i:012d}", r.choice(codes), str(w), str(r.randint(15, 60)), str(r.randint(10, 40)),
                     "4.99" if w < 1000 else "6.49" if w < 2500 else "9.99", iso(d), iso(d + DAY * r.choice([1, 1, 2, 2, 3, 4]))])
    return names, rows, [
        err("pattern", "postcode", put(postcode="0123")),
        err("pattern", "postcode", put(postcode="123456")),
        err("unit", "weight_g", put(weight_g=lambda x: f"{float(x['weight_g']) / 1000:.3f}")),
        err("order of dates", "delivered+sent", put(delivered=lambda x: iso(datetime.date.fromisoformat(x["sent"]) - 11 * DAY))),
        err("factor", "price", put(price="499.00")),
        err("year", "delivered", put(delivered=lambda x: "2042" + x["delivered"][4:])),
    ]


def used_cars(r):
    names = "make,fuel,year,mileage_km,power_kw,price,doors".split(",")
    worth = {"Audi": 34000, "BMW": 38000, "Ford": 21000, "Toyota": 22000, "Fiat": 15000}
    rows = []
    for i in range(420):
        make, age = r.choice(list(worth)), r.randint(0, 18)
        rows.append([make, pick(r, {"petrol": 5, "diesel": 4, "electric": 1}), str(2024 - age), str(round(max(10, age * 13500 * r.gauss(1, 0.2) + 900))),
                     str(round(r.gauss(100, 25))), str(round(worth[make] * math.exp(-0.13 * age) * r.gauss(1, 0.08), -2).__int__()),
                     pick(r, {5: 6, 3: 2, 4: 1})])
    rows = [[str(c) for c in row] for row in rows]
    return names, rows, [
        err("factor", "price", put(price=lambda x: x["price"] + "0")),
        err("factor", "mileage_km", put(mileage_km=lambda x: str(int(x["mileage_km"]) * 100))),
        err("year", "year", put(year="2204")),
        err("digits", "year", put(year="208")),
        err("code", "doors", put(doors="55")),
        err("typo", "fuel", put(fuel="dieesl")),
        err("typo", "make", put(make="Toyta")),
        err("sign", "power_kw", put(power_kw="-85")),
    ]


def lab(r):
    names = "sample,analyst,ph,protein_g_l,glucose,dilution,result,instrument".split(",")
    rows = []
    for i in range(320):
        g, d = r.gauss(5.2, 0.5), pick(r, {1: 5, 2: 3, 5: 2, 10: 1})
        rows.append([f"24-{i + 1:05d}", r.choice(["hk", "mm", "ls", "tb"]), f"{r.gauss(7.4, 0.05):.2f}", f"{r.gauss(71, 4):.1f}", f"{g:.2f}", str(d),
                     f"{round(g, 2) * d:.2f}", r.choice(["A1", "A2", "B1"])])
    return names, rows, [
        err("decimal point", "ph", put(ph="74.1")),
        err("total", "result", put(result=lambda x: f"{float(x['result']) * 1.4:.2f}")),
        err("total", "dilution+result", put(dilution=lambda x: "5" if x["dilution"] == "1" else "1")),
        err("placeholder", "protein_g_l", put(protein_g_l="-999")),
        err("unit", "glucose+result", put(glucose=lambda x: f"{float(x['glucose']) * 18:.1f}")),
        err("typo", "instrument", put(instrument="A11")),
        err("typo", "analyst", put(analyst="hkk")),
    ]


def recipes(r):
    names = "batch,product,flour_g,water_g,salt_g,total_g,oven_c,minutes".split(",")
    rows = []
    for i in range(200):
        p = r.choice(["rye", "wheat", "spelt"])
        f = r.gauss(5000, 250)
        w, s = f * (0.72 if p == "rye" else 0.64) * r.gauss(1, 0.01), f * 0.02 * r.gauss(1, 0.02)
        f, w, s = round(f), round(w), round(s)
        rows.append([str(i + 1), p, str(f), str(w), str(s), str(f + w + s), str(5 * round(r.gauss(46, 1))), str(round(r.gauss(48, 3)))])
    return names, rows, [
        err("unit", "flour_g", put(flour_g=lambda x: f"{int(x['flour_g']) / 1000:.2f}")),
        err("total", "total_g", put(total_g=lambda x: str(int(x["total_g"]) - 600)), ),
        err("factor", "salt_g", put(salt_g=lambda x: x["salt_g"] + "0")),
        err("contradiction", "water_g+total_g", put(water_g=lambda x: str(int(x["water_g"]) - 900), total_g=lambda x: str(int(x["total_g"]) - 900)), False),
        err("swapped", "oven_c+minutes", lambda x: x.update(oven_c=x["minutes"], minutes=x["oven_c"])),
        err("typo", "product", put(product="wheatt")),
    ]


# ---- time and places ----


def sensors(r):
    names = "n,temp,humidity,pressure,battery".split(",")
    rows = []
    t, p = 20.0, 1013.0
    for i in range(500):
        t += r.gauss(0, 0.25) + 0.02 * (20 - t)
        p += r.gauss(0, 0.3) + 0.02 * (1013 - p)
        rows.append([str(i + 1), f"{t:.2f}", f"{min(99, max(10, 55 - 1.2 * (t - 20) + r.gauss(0, 2))):.1f}", f"{p:.1f}", f"{4.1 - 0.0008 * i + r.gauss(0, 0.004):.3f}"])
    return names, rows, [
        err("stuck", "temp", "stuck:temp:12", False),
        err("spike", "temp", put(temp="85.00")),
        err("placeholder", "humidity", put(humidity="-999")),
        err("percent", "humidity", put(humidity="155.0")),
        err("decimal point", "pressure", put(pressure=lambda x: f"{float(x['pressure']) / 10:.1f}")),
        err("zero", "battery", put(battery="0.000")),
    ]


def weather(r):
    names = "date,station,t_min,t_mean,t_max,rain_mm,wind_dir,wind_ms".split(",")
    rows = []
    for i in range(730):
        s = 10 - 9 * math.cos(2 * math.pi * (i - 15) / 365) + r.gauss(0, 3)
        lo, hi = s - abs(r.gauss(4, 1.2)), s + abs(r.gauss(5, 1.2))
        rows.append([iso(datetime.date(2022, 1, 1) + DAY * i), "K1", f"{lo:.1f}", f"{s:.1f}", f"{hi:.1f}",
                     f"{r.expovariate(0.25) if r.random() < 0.4 else 0:.1f}", str(10 * r.randint(0, 35)), f"{abs(r.gauss(4, 2)):.1f}"])
    return names, rows, [
        err("swapped", "t_min+t_max", lambda x: x.update(t_min=x["t_max"], t_max=x["t_min"])),
        err("decimal point", "t_max", put(t_max=lambda x: f"{float(x['t_max']) * 10:.0f}")),
        err("sign", "rain_mm", put(rain_mm="-4.2")),
        err("placeholder", "wind_ms", put(wind_ms="999.9")),
        err("placeholder", "rain_mm", put(rain_mm="-999")),
        err("code", "wind_dir", put(wind_dir="720")),
        err("unit", "t_mean+t_min+t_max", put(t_mean=lambda x: f"{float(x['t_mean']) * 1.8 + 32:.1f}")),
    ]


def web_log(r):
    names = "time,method,path,status,bytes,ms".split(",")
    rows, t = [], datetime.datetime(2024, 6, 1)
    for i in range(900):
        t += datetime.timedelta(seconds=r.expovariate(1 / 40))
        status = pick(r, {200: 80, 302: 6, 304: 9, 404: 5, 500: 0.4})
        path = pick(r, {"/": 5, "/login": 3, "/cart": 3, "/search": 4, "/item": 6})
        rows.append([t.strftime("%Y-%m-%d %H:%M:%S"), pick(r, {"GET": 9, "POST": 2}), path, str(status),
                     str(0 if status == 304 else int(math.exp(r.gauss(8.5, 0.9)))), str(int(math.exp(r.gauss(4, 0.6))))])
    return names, rows, [
        err("code", "status", put(status="2000")),
        err("code", "status", put(status="20")),
        err("sign", "bytes", put(bytes="-1")),
        err("factor", "ms", put(ms="9999999")),
        err("typo", "method", put(method="GTE")),
        err("year", "time", put(time="1970-01-01 00:00:00")),
    ]


def flights(r):
    names = "flight,origin,dest,distance_km,departure,arrival,minutes,passengers,seats".split(",")
    far = {}
    ports = ["FRA", "LHR", "CDG", "MAD", "FCO", "WAW"]
    for a in ports:
        for b in ports:
            far[a, b] = far.get((b, a)) or r.randint(400, 2200)
    rows = []
    for i in range(480):
        a, b = r.sample(ports, 2)
        d = far[a, b]
        m = round(d / 12.5 + 35 + r.gauss(0, 4))
        t = datetime.datetime(2024, 7, 1, 5) + datetime.timedelta(minutes=15 * r.randint(0, 6000))
        seats = r.choice([144, 180, 220])
        rows.append([f"OD{r.randint(100, 999)}", a, b, str(d), t.strftime("%Y-%m-%d %H:%M"), (t + datetime.timedelta(minutes=m)).strftime("%Y-%m-%d %H:%M"),
                     str(m), str(min(seats, max(20, round(seats * r.gauss(0.8, 0.1))))), str(seats)])
    back = lambda x: (datetime.datetime.strptime(x["departure"], "%Y-%m-%d %H:%M") - datetime.timedelta(minutes=300)).strftime("%Y-%m-%d %H:%M")
    return names, rows, [
        err("order of dates", "arrival+departure+minutes", put(arrival=back)),
        err("total", "minutes", put(minutes=lambda x: str(int(x["minutes"]) + 60))),
        err("contradiction", "passengers+seats", put(passengers=lambda x: str(int(x["seats"]) + 70))),
        err("code", "seats", put(seats="1800")),
        err("sign", "passengers", put(passengers="-120")),
        err("typo", "origin", put(origin="FRAA")),
        err("unit", "distance_km", put(distance_km=lambda x: str(int(x["distance_km"]) * 1000))),
    ]


def meters(r):
    names = "meter,date,previous,current,used_kwh,price,amount".split(",")
    rows, last = [], {}
    for i in range(360):
        m = f"00{4711 + i % 12}"
        prev = last.get(m, r.randint(10000, 60000))
        used = round(abs(r.gauss(290, 70))) + 20
        last[m] = prev + used
        rows.append([m, iso(datetime.date(2021, 1 + 0, 1) + DAY * 30 * (i // 12)), str(prev), str(prev + used), str(used), "0.32", money(used * 0.32)])
    return names, rows, [
        err("total", "used_kwh+amount", put(used_kwh=lambda x: str(int(x["used_kwh"]) + 200))),
        err("total", "current", put(current=lambda x: str(int(x["current"]) - 3000))),
        err("total", "amount", put(amount=lambda x: money(float(x["amount"]) * 1.6))),
        err("decimal point", "price", put(price="32")),
        err("factor", "amount", put(amount=lambda x: money(float(x["amount"]) * 100))),
        err("year", "date", put(date="2201-03-01")),
    ]


def stores(r):
    names = "store,city,lat,lon,opened,area,revenue".split(",")
    at = {"Berlin": (52.52, 13.4), "Hamburg": (53.55, 10.0), "Munich": (48.14, 11.58), "Cologne": (50.94, 6.96)}
    rows = []
    for i in range(180):
        c = pick(r, {"Berlin": 4, "Hamburg": 3, "Munich": 3, "Cologne": 2})
        area = round(math.exp(r.gauss(5.6, 0.4)))
        rows.append([f"ST{i + 1:03d}", c, f"{at[c][0] + r.gauss(0, 0.05):.4f}", f"{at[c][1] + r.gauss(0, 0.07):.4f}",
                     iso(datetime.date(2001, 1, 1) + DAY * r.randint(0, 8000)), str(area), str(round(area * r.gauss(4200, 500), -2).__int__())])
    return names, rows, [
        err("swapped", "lat+lon", lambda x: x.update(lat=x["lon"], lon=x["lat"])),
        err("typo", "city", put(city="Berln")),
        err("sign", "lon", put(lon=lambda x: "-" + x["lon"])),
        err("decimal point", "lat", put(lat=lambda x: x["lat"].replace(".", ""))),
        err("contradiction", "city+lat+lon", lambda x: x.update(city="Munich", lat="53.5512", lon="10.0213")),
        err("factor", "revenue", put(revenue=lambda x: x["revenue"] + "00")),
        err("year", "opened", put(opened="1900-01-01")),
    ]


def trips(r):
    names = "trip,start,end,hours,km,avg_kmh,fuel_l".split(",")
    rows = []
    for i in range(300):
        h, v = round(abs(r.gauss(3, 1.2)) + 0.5, 2), r.gauss(68, 9)
        t = datetime.datetime(2024, 3, 1, 6) + datetime.timedelta(minutes=30 * r.randint(0, 3000))
        km = round(h * v)
        rows.append([str(i + 1), t.strftime("%Y-%m-%d %H:%M"), (t + datetime.timedelta(hours=h)).strftime("%Y-%m-%d %H:%M"), str(h), str(km),
                     f"{km / h:.1f}", f"{km * 0.27 * r.gauss(1, 0.05):.1f}"])
    return names, rows, [
        err("factor", "km", put(km=lambda x: x["km"] + "0")),
        err("contradiction", "avg_kmh", put(avg_kmh=lambda x: f"{float(x['avg_kmh']) + 60:.1f}")),
        err("total", "hours+end", put(hours=lambda x: f"{float(x['hours']) + 5:.2f}")),
        err("sign", "fuel_l", put(fuel_l=lambda x: "-" + x["fuel_l"])),
        err("order of dates", "end+start", put(end="2024-02-01 08:00")),
        err("spike", "avg_kmh", put(avg_kmh="740.0")),
    ]


def small_team(r):
    names = "name,age,height_cm,city".split(",")
    rows = [[n, str(r.randint(24, 61)), str(round(r.gauss(172, 8))), r.choice(["Oslo", "Bergen"])] for n in
            ["Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gil", "Hal", "Ina", "Jo", "Kai", "Lou"]]
    return names, rows, [err("unit", "height_cm", put(height_cm="1720")), err("placeholder", "age", put(age="999"))]


def small_costs(r):
    names = "month,rent,power,phone".split(",")
    rows = [[f"2024-{m:02d}-01", "950.00", money(r.gauss(80, 9)), money(r.gauss(30, 1))] for m in range(1, 13)]
    return names, rows, [err("decimal point", "power", put(power="8120.00"))]


TABLES = [
    invoices, order_lines, bank, payroll, real_estate, loans, patients, survey, phone_list, grades, inventory, gym, parcels, hr_leave, lab, used_cars,
    sensors, recipes, web_log, weather, meters, flights, stores, trips, small_team, small_costs,
]
